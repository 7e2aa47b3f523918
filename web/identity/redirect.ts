const DEFAULT = '/dashboard'

/** Where a `redirect` parameter leads: a path of this origin, else the dashboard. */
export function safeRedirect(path: string | null | undefined, origin = window.location.origin): string {
  return ownPath(path, origin) ?? DEFAULT
}

/**
 * A path of this origin, and nothing that a browser would read as another one (`//host`, `/\host`, or either
 * hidden behind control characters, which URLs drop); null for all else.
 */
export function ownPath(path: string | null | undefined, origin = window.location.origin): string | null {
  if (!path?.startsWith('/') || /^\/[/\\]/.test(path) || hasControlCharacter(path)) return null
  const url = URL.parse(path, origin)
  if (url?.origin !== origin || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}

/** The address of the sign-in page that leads back to `path` afterwards. */
export function loginPath(path: string): string {
  return `/login?${new URLSearchParams({ redirect: path })}`
}

/** The address of the registration that leads back to `path` afterwards. */
export function registerPath(path: string): string {
  return `/register?${new URLSearchParams({ redirect: path })}`
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}
