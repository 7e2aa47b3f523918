import { hash, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { RunCall } from '#contract/rendering.ts'
import { type Encoding, encode } from '#server/platform/http/request-headers.ts'
import type { Admit } from '#server/platform/load/overload.ts'
import type { PublicPageQueries } from '#server/world/page-versions.ts'
import type { MountedBuild } from './build.ts'
import { contentSecurityPolicy, pageHeaders, type Site } from './headers.ts'

export type PagesOptions = Site & {
  runCall: RunCall
  publicPages: PublicPageQueries
  clock: () => Date
  /** Refuses requests while the server is overloaded. */
  admit?: Admit
  rateLimit: boolean
}

/** A page with everything that pages have in common: scripts, policy, settings. */
const SAMPLE_URL = '/markdown-guide'

/** Renders the pages of a build. */
export function createPageRenderer(build: MountedBuild, options: PagesOptions) {
  /** The version for the current settings of the server. */
  let shared: { settings: string; version: Promise<string> } | undefined

  /** Renders a page for one request; `signal` aborts it. */
  async function render(url: URL, log: FastifyBaseLogger, signal: AbortSignal, etag?: string) {
    const report = (error: unknown) => log.error({ err: error }, 'a page failed')
    const context = { runCall: options.runCall, nonce: SCRIPT_NONCE, report }
    const rendered = await build.render(url, context, signal)
    return finish(rendered, (scripts) => contentSecurityPolicy(options, scripts), etag)
  }

  /** Renders a page for all requests that wait for it. None of them can abort it. */
  function renderShared(url: string, log: FastifyBaseLogger, etag?: string): Promise<FinishedPage> {
    return render(new URL(options.publicUrl + url), log, new AbortController().signal, etag)
  }

  let reading: Promise<string> | undefined

  /**
   * Returns a text that changes with the build and with every setting that pages show. All requests of one turn of the event
   * loop share one reading.
   */
  function sharedVersion(log: FastifyBaseLogger): Promise<string> {
    if (!reading) {
      reading = readSharedVersion(log)
      setImmediate(() => {
        reading = undefined
      })
    }
    return reading
  }

  async function readSharedVersion(log: FastifyBaseLogger): Promise<string> {
    const settings = JSON.stringify(await options.runCall('readIdentityOptions', {}))
    if (shared?.settings !== settings) {
      const version = renderShared(SAMPLE_URL, log).then(({ headers }) => `${build.version} ${headers.etag}`)
      shared = { settings, version }
    }
    try {
      return await shared.version
    } catch (error) {
      shared = undefined
      throw error
    }
  }

  return { render, renderShared, sharedVersion }
}

/** A rendered page with its headers. */
export type FinishedPage = { status: number; headers: Record<string, string>; body: Buffer }

const RETRY_AFTER_S = '5'

/** Returns the policy of a page, given the sources of its scripts. */
type PolicyFor = (scripts: string[]) => string

/**
 * Adds the headers of a rendered page. Its ETag is the given one, or otherwise a hash of the page, and therefore the same in
 * every process. Clients may cache only pages with status 200, unless their route forbids it.
 */
async function finish(rendered: Response, policyFor: PolicyFor, etag?: string): Promise<FinishedPage> {
  const { html, scripts } = takeNonces(await rendered.text())
  const policy = policyFor(scripts)
  const isCacheable = rendered.status === 200 && rendered.headers.get('cache-control') !== 'no-store'
  const caching: Record<string, string> = isCacheable
    ? { 'cache-control': 'no-cache', etag: etag ?? etagOf([policy, html]) }
    : { 'cache-control': 'no-store', ...(rendered.status === 503 && { 'retry-after': RETRY_AFTER_S }) }
  const headers = {
    ...Object.fromEntries(rendered.headers),
    ...pageHeaders,
    vary: 'accept-encoding',
    ...caching,
    'content-security-policy': policy,
  }
  return { status: rendered.status, headers, body: Buffer.from(html) }
}

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

/**
 * The nonce of a page's own scripts during rendering. It is secret, so that no content can pass for a script, and is removed
 * before the page is sent: the policy lists the scripts by their hashes, which do not change between responses.
 */
const SCRIPT_NONCE = randomBytes(24).toString('base64url')

const nonces = new RegExp(` nonce="${SCRIPT_NONCE}"`, 'g')
const ownScripts = new RegExp(`<script([^>]*) nonce="${SCRIPT_NONCE}"([^>]*)>(.*?)</script>`, 'gs')

/** Removes the nonces from a page, and returns the sources with which a policy allows exactly its own inline scripts. */
function takeNonces(html: string): { html: string; scripts: string[] } {
  const found = [...html.matchAll(ownScripts)]
  const inline = found.filter(([, before, after]) => !/ src=/.test(`${before}${after}`))
  const sources = inline.map(([, , , text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`)
  return { html: html.replaceAll(nonces, ''), scripts: [...new Set(sources)] }
}
