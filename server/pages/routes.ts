import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { encodingIn, isKnown } from '#server/platform/http/request-headers.ts'
import { createRequestLimit } from '#server/platform/limits/requests.ts'
import { networkOf } from '#server/platform/network.ts'
import type { MountedBuild } from './build.ts'
import { type CachedMatch, type CanonicalPage, canonicalPage, dataUrl, missingUrl } from './canonical.ts'
import { notModifiedHeaders } from './headers.ts'
import { createPageCache } from './page-cache.ts'
import { createPageRenderer, encodePage, etagOf, type FinishedPage, type PagesOptions } from './render.ts'

/** The URL for which the page of all unknown URLs is rendered. */
const UNKNOWN_URL = '/nowhere'
/** A page number that no project has. */
const PAST_THE_END = 1_000_000_000
const CANONICAL_PAGES_MAX = 2_000
/** Pages of one project that are rendered for one network a minute: more than anybody reads, and as many as a crawler fetches. */
const RENDERED_PER_MINUTE = 120
const REDIRECT_CACHING = 'public, max-age=3600'
const DATA = '.data'

/** Mounts the pages of a build: one route for each cached route, and one for all other URLs. */
export function pageRoutes(scope: FastifyInstance, build: MountedBuild, options: PagesOptions): void {
  const { publicPages, publicUrl, clock } = options
  const { render, renderShared, sharedVersion } = createPageRenderer(build, options)
  const cache = createPageCache()
  const countRendering = options.rateLimit ? createRequestLimit(RENDERED_PER_MINUTE) : undefined
  const canonicalPages = new LRUCache<string, CanonicalPage>({ max: CANONICAL_PAGES_MAX })
  const latestEtags = new WeakMap<CanonicalPage, { shared: string; own: string; etag: string }>()

  /** Returns the URL under the public origin, whatever the request target contains (`//elsewhere`). */
  const urlOf = (request: FastifyRequest) => new URL(publicUrl + request.url)

  /** Like `canonicalPage`, but caches the pages of canonical URLs, because parsing takes longer than looking one up. */
  function canonicalPageOf(match: CachedMatch, request: FastifyRequest) {
    const known = canonicalPages.get(request.url)
    if (known) return known
    const page = canonicalPage(match, urlOf(request))
    // Others are countless: unknown search parameters are ignored.
    if (typeof page !== 'string' && page.url === request.url) canonicalPages.set(page.url, page)
    return page
  }

  /** Like `etagOf`, but remembers the latest result for a page, because hashing takes longer than comparing. */
  async function etagFor(page: CanonicalPage, own: string, log: FastifyBaseLogger) {
    const shared = await sharedVersion(log)
    const latest = latestEtags.get(page)
    if (latest?.own === own && latest.shared === shared) return latest.etag
    const etag = etagOf([page.url, shared, own])
    latestEtags.set(page, { shared, own, etag })
    return etag
  }

  async function sendRendered(request: FastifyRequest, reply: FastifyReply) {
    const page = await render(urlOf(request), request.log, untilClosed(reply))
    return send(request, reply, await encodePage(page, encodingOf(request)))
  }

  async function sendMissing(request: FastifyRequest, reply: FastifyReply, url: string, version = '') {
    const create = () => renderShared(url, request.log)
    return send(request, reply, await cache.obtainMissing(`${url} ${version}`, encodingOf(request), create))
  }

  async function sendCached(match: CachedMatch, request: FastifyRequest, reply: FastifyReply) {
    const page = canonicalPageOf(match, request)
    if (page === 'bypass') return sendRendered(request, reply)
    if (page === 'malformed') return sendMissing(request, reply, missingUrl(match.pattern))
    if (!page.isCanonical) return reply.header('cache-control', REDIRECT_CACHING).redirect(page.url, 301)
    const version = await versionOf(page)
    // Private and missing projects have the same page.
    if (version === null) return sendMissing(request, reply, missingUrl(match.pattern))
    const etag = await etagFor(page, version, request.log)
    if (hasCopy(request, etag)) return sendNotModified(request, reply, etag)
    const encoding = encodingOf(request)
    const { projectId: project } = page.values
    const cached = cache.get({ key: etag, project }, encoding)
    if (cached) return send(request, reply, cached)
    if (project !== undefined) countRendering?.(`${networkOf(request.ip)} ${project}`)
    const found = await publicPages.find(page.values)
    if (found === 'no milestone' || found === 'no tag')
      return reply.header('cache-control', 'no-store').redirect(page.path, 302)
    if (found === 'no page') return sendMissing(request, reply, `${page.path}?page=${PAST_THE_END}`, version)
    if (found === 'no entry')
      return sendMissing(request, reply, missingUrl(match.pattern, page.values.projectId), version)
    const create = () => renderShared(page.url, request.log, etag)
    return send(request, reply, await cache.obtain({ key: etag, project }, encoding, create))
  }

  /** Sends the data of a page, which React Router renders in the browser. */
  async function sendData(match: CachedMatch, request: FastifyRequest, reply: FastifyReply) {
    const asked = urlOf(request)
    const page = canonicalPage(match, asked)
    const version = typeof page === 'string' ? null : await versionOf(page)
    if (typeof page === 'string' || version === null) return sendRendered(request, reply)
    const url = dataUrl(page, asked.searchParams)
    const etag = etagOf([url, await sharedVersion(request.log), version])
    if (hasCopy(request, etag)) return sendNotModified(request, reply, etag)
    const { projectId: project } = page.values
    const encoding = encodingOf(request)
    if (project !== undefined && !cache.get({ key: etag, project }, encoding))
      countRendering?.(`${networkOf(request.ip)} ${project}`)
    const create = () => renderShared(url, request.log, etag)
    return send(request, reply, await cache.obtain({ key: etag, project }, encoding, create))
  }

  /** Returns a text that changes with anything that the page shows; null if the page is not public. */
  function versionOf({ values: { projectId } }: CanonicalPage): Promise<string | null> | string {
    // Pages without a project change only with the year.
    return projectId === undefined ? String(clock().getUTCFullYear()) : publicPages.version(projectId)
  }

  for (const { pattern, cachedParams } of build.cachedRoutes) {
    const matchOf = ({ params }: FastifyRequest) => ({
      pattern,
      cachedParams,
      params: params as CachedMatch['params'],
    })
    scope.get(pattern, (request, reply) => sendCached(matchOf(request), request, reply))
    if (/:\w+$/.test(pattern))
      scope.get(pattern + DATA, (request, reply) => sendData(matchOf(request), request, reply))
  }

  scope.get('/*', async (request, reply) => {
    const { pathname } = urlOf(request)
    const match = pathname.endsWith(DATA) ? null : build.matchRoute(pathname)
    if (match?.pattern === '*') return sendMissing(request, reply, UNKNOWN_URL)
    // A cached page with a differently spelled path: React Router ignores case and a final slash.
    if (match?.cachedParams) return sendCached({ ...match, cachedParams: match.cachedParams }, request, reply)
    return sendRendered(request, reply)
  })
}

const encodingOf = ({ headers }: FastifyRequest) => encodingIn(headers['accept-encoding'])

/** Returns whether the client already has the page. `*` matches every existing page, which only rendering can determine. */
function hasCopy({ headers }: FastifyRequest, etag: string): boolean {
  const { 'if-none-match': ifNoneMatch } = headers
  return ifNoneMatch !== '*' && isKnown(etag, ifNoneMatch)
}

function untilClosed(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  reply.raw.once('close', () => closed.abort())
  return closed.signal
}

function send(request: FastifyRequest, reply: FastifyReply, { status, headers, body }: FinishedPage) {
  const { etag } = headers
  if (etag && isKnown(etag, request.headers['if-none-match'])) return sendNotModified(request, reply, etag)
  reply.code(status).headers(headers).headers(varyOf(request))
  if (isOpenedFeed(request, headers)) reply.type('application/xml; charset=utf-8')
  return reply.send(body)
}

/** Who opens a feed in a browser sees it in its style as plain XML; some browsers would offer a file of another type to be saved. */
const isOpenedFeed = ({ headers }: FastifyRequest, { 'content-type': type = '' }: FinishedPage['headers']) =>
  headers['sec-fetch-dest'] === 'document' && /^application\/(?:atom|rss)\+xml/.test(type)

const varyOf = ({ url }: FastifyRequest) =>
  /\/feed\.(?:atom|rss)(?:\?|$)/.test(url) ? { vary: 'accept-encoding, sec-fetch-dest' } : {}

function sendNotModified(request: FastifyRequest, reply: FastifyReply, etag: string) {
  return reply
    .code(304)
    .headers({ ...notModifiedHeaders, ...varyOf(request), etag })
    .send()
}
