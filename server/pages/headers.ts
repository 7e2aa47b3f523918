/** `built`: the output of `npm run build`. `development`: the sources, through Vite. */
export type PagesMode = 'built' | 'development'

/** The settings on which the headers of pages depend. */
export type Site = {
  publicUrl: string
  mode: PagesMode
  /** The host of Firebase's own sign-in pages for the project. */
  authDomain?: string | undefined
  /** Further hosts whose video players pages may embed. */
  videoHosts?: readonly string[]
}

const ONE_YEAR_S = 31_536_000
/** The players that replace the link to a video after a click (web/markdown/). */
const VIDEO_PLAYERS = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com']
const FIREBASE_CALLS = 'https://identitytoolkit.googleapis.com https://securetoken.googleapis.com'

/** The headers of all pages and of their files. */
export function siteHeaders({ publicUrl }: Site): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': `max-age=${ONE_YEAR_S}` }),
  }
}

/** Further headers of pages. Popups stay reachable, because a hosted sign-in responds from one. */
export const pageHeaders: Record<string, string> = {
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
}

/**
 * The caching of pages. `no-transform`, because Cloudflare otherwise puts '[email protected]' in the place of whatever looks like an
 * email address, which only a script of its own undoes.
 */
export const PAGE_CACHING = 'no-cache, no-transform'

/** The headers of a page of a share link: no cache, no search engine and no other site learns of it. */
export const privateHeaders: Record<string, string> = {
  'cache-control': 'private, no-store, no-transform',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

/** The headers of a 304 besides the ETag. It has no policy: the client's copy has its own. */
export const notModifiedHeaders: Record<string, string> = {
  'cache-control': PAGE_CACHING,
  vary: 'accept-encoding',
}

/**
 * Returns the content security policy of a page: the sources of its inline `scripts`, and the sites of `players` that it may
 * show in frames. Images may come from anywhere over TLS, because people put them into their entries. Forms are sent only by
 * script, so that nothing typed before scripts run can end up in a URL; `forms` allows a page to send its own without.
 */
export function contentSecurityPolicy(
  { publicUrl, mode, authDomain, videoHosts = [] }: Site,
  scripts: string[],
  players: readonly string[] = VIDEO_PLAYERS,
  forms: "'none'" | "'self'" = "'none'",
): string {
  const development = mode === 'development'
  const others = players.length > 0 ? videoHosts.map((host) => `https://${host}`) : []
  // Our own frame renders diagrams.
  const own = players.length > 0 ? ["'self'"] : []
  const frames = [...own, ...(authDomain ? [`https://${authDomain}`] : []), ...players, ...others]
  const directives = [
    "default-src 'self'",
    ["script-src 'self'", ...scripts, ...(authDomain ? ['https://apis.google.com'] : [])].join(' '),
    // Vite's own client adds style elements.
    `style-src 'self'${development ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data: blob: https:",
    `connect-src 'self'${development ? ' ws: wss:' : ''}${authDomain ? ` ${FIREBASE_CALLS}` : ''}`,
    ['frame-src', ...(frames.length > 0 ? frames : ["'none'"])].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${forms}`,
    ...(publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ]
  return directives.join('; ')
}

/**
 * The headers of the frame that renders diagrams, and of its scripts. The frame has an opaque origin, so its scripts are
 * cross-origin for it. The diagram library creates style elements and attributes.
 */
export const diagramHeaders: Record<string, string> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts",
  'cross-origin-resource-policy': 'cross-origin',
}
