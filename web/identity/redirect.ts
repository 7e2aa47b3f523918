const DEFAULT = '/dashboard'

/** Returns the path of a `redirect` parameter if it belongs to this origin, else the dashboard. */
export function safeRedirect(path: string | null | undefined, origin = window.location.origin): string {
  return ownPath(path, origin) ?? DEFAULT
}

/**
 * Returns a path of this origin, or null for anything that a browser would resolve to another origin (`//host`, `/\host`, or
 * either hidden behind control characters, which URL parsers drop).
 */
export function ownPath(path: string | null | undefined, origin = window.location.origin): string | null {
  if (!path?.startsWith('/') || /^\/[/\\]/.test(path) || hasControlCharacter(path)) return null
  const url = new URL(path, origin)
  if (url.origin !== origin || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}

/** Returns the URL of the sign-in page that redirects to `path` afterwards. */
export function loginPath(path: string): string {
  return `/login?${new URLSearchParams({ redirect: path })}`
}

/** Returns the URL of the registration page that redirects to `path` afterwards. */
export function registerPath(path: string): string {
  return `/register?${new URLSearchParams({ redirect: path })}`
}

/** Returns the URL of another auth page with the same redirect and invitation. */
export function withRedirect(
  path: '/login' | '/login/code' | '/register' | '/forgot-password',
  search: URLSearchParams,
): string {
  const passedOn = ['redirect', 'invitation'].flatMap((name) => {
    const value = search.get(name)
    return value === null ? [] : [[name, value]]
  })
  return passedOn.length === 0 ? path : `${path}?${new URLSearchParams(passedOn)}`
}

/** Returns the token of the invitation, to this server or to a project, whose link led to an auth page. */
export function invitationIn(search: URLSearchParams): string | undefined {
  const [, ofProject] = /^\/invite\/([\w-]+)/.exec(search.get('redirect') ?? '') ?? []
  return search.get('invitation') ?? ofProject
}

/** Returns the invitation of this page as a parameter of the calls that create an account. */
export function invitationOfPage(): { invitation?: string } {
  const invitation = invitationIn(new URLSearchParams(window.location.search))
  return invitation === undefined ? {} : { invitation }
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}
