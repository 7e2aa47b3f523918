const DEFAULT = '/dashboard'

/**
 * Where a `redirect` parameter may lead: a path of this origin, and nothing that a browser would read as
 * another one (`//host`, `/\host`, or either hidden behind control characters, which URLs drop).
 */
export function safeRedirect(path: string | null | undefined, origin = window.location.origin): string {
  if (!path?.startsWith('/') || /^\/[/\\]/.test(path) || hasControlCharacter(path)) return DEFAULT
  const url = URL.parse(path, origin)
  if (url?.origin !== origin || url.pathname.startsWith('//')) return DEFAULT
  return url.pathname + url.search + url.hash
}

/** The address of the sign-in page that leads back to `path` afterwards. */
export function loginPath(path: string): string {
  return `/login?${new URLSearchParams({ redirect: path })}`
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}
