import { hash } from 'node:crypto'
import type { Page, PageSettings, RunCall } from '#contract/rendering.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { type Encoding, encode } from '#server/platform/api/request-headers.ts'
import type { Admit } from '#server/platform/limits/overload.ts'
import type { RunSearch } from '#server/platform/limits/search.ts'
import type { MountedBuild } from './build.ts'
import { contentSecurityPolicy, PAGE_CACHING, pageHeaders, privateHeaders, type Site } from './headers.ts'

export type PagesOptions = Site & {
  deps: AppDeps
  /** Those whose pages are mounted. */
  features: readonly Feature[]
  runCall: RunCall
  search: RunSearch
  /** Refuses requests while the server is overloaded. */
  admit?: Admit
  rateLimit: boolean
}

/** Renders the pages of a build. */
export function createPageRenderer(build: MountedBuild, options: PagesOptions) {
  const { pageScript, screenScript } = build.publicPages
  /** Scripts do not depend on the page. The forms of public pages work without them. */
  const publicPolicy = contentSecurityPolicy(options, [scriptSource(pageScript)], undefined, "'self'")
  const screenPolicy = contentSecurityPolicy(options, [scriptSource(screenScript)])

  /** Renders a page. Its ETag is the given one, or otherwise a hash of the page, the same in every process. */
  async function renderPage(page: Page, settings: PageSettings, etag?: string): Promise<FinishedPage> {
    const { status, headers, body } = await build.publicPages.renderPage(page, settings)
    const policy = page.kind === 'screen' ? screenPolicy : publicPolicy
    const mayCache = headers['cache-control'] !== 'no-store'
    const caching = cachingOf({ status, mayCache }, () => etag ?? etagOf([policy, body]))
    return { status, headers: headersOf({ ...headers, ...caching }, policy), body: Buffer.from(body) }
  }

  /** Renders a page for a visitor of a share link, which nobody else may get. It may contain the form of the password. */
  async function renderPrivate(page: Page): Promise<FinishedPage> {
    const { settings } = await readShared()
    const { status, headers, body } = await build.publicPages.renderPage(page, settings)
    const own = headersOf({ ...headers, ...privateHeaders }, publicPolicy)
    return { status, headers: own, body: Buffer.from(body) }
  }

  let reading: Promise<Shared> | undefined
  let latest: (Shared & { parts: unknown[]; text: string }) | undefined

  /** Returns what all public pages have in common. All requests of one turn of the event loop share one reading. */
  function readShared(): Promise<Shared> {
    if (!reading) {
      reading = readSettings()
      setImmediate(() => {
        reading = undefined
      })
    }
    return reading
  }

  async function readSettings(): Promise<Shared> {
    const [identity, entries] = await Promise.all([
      options.runCall('readIdentityOptions', {}),
      options.runCall('readEntryOptions', {}),
    ])
    const parts = [build.version(), identity, entries]
    if (latest && parts.every((part, at) => part === latest?.parts[at])) return latest
    const settings = { origin: options.publicUrl, identity, entries, sendsMail: options.deps.sendsMail }
    const text = JSON.stringify([build.version(), settings])
    latest =
      latest?.text === text
        ? { ...latest, parts }
        : { parts, text, settings, version: etagOf([publicPolicy, text]) }
    return latest
  }

  return { renderPage, renderPrivate, readShared }
}

/** What all public pages have in common: settings, and a text that changes with these and with the build. */
export type Shared = { settings: PageSettings; version: string }

/** A rendered page with its headers. */
export type FinishedPage = { status: number; headers: Record<string, string>; body: Buffer }

const RETRY_AFTER_S = '5'

/** Clients may cache only pages with status 200, unless their route forbids it. */
function cachingOf(
  { status, mayCache }: { status: number; mayCache: boolean },
  etag: () => string,
): Record<string, string> {
  if (status === 200 && mayCache) return { 'cache-control': PAGE_CACHING, etag: etag() }
  return { 'cache-control': 'no-store', ...(status === 503 && { 'retry-after': RETRY_AFTER_S }) }
}

const headersOf = (own: Record<string, string>, policy: string) => ({
  ...pageHeaders,
  vary: 'accept-encoding',
  ...own,
  'content-security-policy': policy,
})

/** Returns the ETag of a response that depends only on these texts. */
export function etagOf(texts: string[]): string {
  return `W/"${hash('sha256', texts.join('\0'), 'base64url').slice(0, 27)}"`
}

/** Encodes the page, unless it is too small to benefit. */
export async function encodePage(page: FinishedPage, asked: Encoding): Promise<FinishedPage> {
  const { body, encoding } = await encode(page.body, asked)
  if (encoding === 'identity') return page
  return { ...page, body, headers: { ...page.headers, 'content-encoding': encoding } }
}

/** The source with which a policy allows an inline script. */
const scriptSource = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`
