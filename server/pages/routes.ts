import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PagesOptions } from '#server/pages.ts'
import { encodingIn } from '#server/platform/http/compression.ts'
import { isKnown } from '#server/platform/http/etag.ts'
import { type CachedMatch, type CanonicalPage, canonicalPage, dataUrl, missingUrl } from './canonical.ts'
import { encodePage, etagOf, type FinishedPage } from './finished.ts'
import { notModifiedHeaders } from './headers.ts'
import type { MountedBuild } from './mounted-build.ts'
import { createPageCache } from './page-cache.ts'
import { createPageMaker } from './page-maker.ts'

/** Stands for all URLs that lead to no screen; what is shown there does not depend on the URL. */
const NOWHERE = '/nowhere'
/** A page of entries that no project has. */
const PAST_THE_END = 1_000_000_000
const REDIRECT_CACHING = 'public, max-age=3600'
const DATA = '.data'

/** Mounts the pages of a build: a route for each whose pages are cached, and one for all other URLs. */
export function pageRoutes(scope: FastifyInstance, build: MountedBuild, options: PagesOptions): void {
  const { publicPages, publicUrl, clock } = options
  const { make, makeForAll, sharedVersion } = createPageMaker(build, options)
  const cache = createPageCache()

  /** The URL under the origin that people know, however the request names it (`//elsewhere`). */
  const urlOf = (request: FastifyRequest) => new URL(publicUrl + request.url)

  async function sendRendered(request: FastifyRequest, reply: FastifyReply) {
    const page = await make(urlOf(request), request.log, untilClosed(reply))
    return send(request, reply, await encodePage(page, encodingOf(request)))
  }

  async function sendMissing(request: FastifyRequest, reply: FastifyReply, url: string, version = '') {
    const made = () => makeForAll(url, request.log)
    return send(request, reply, await cache.obtainMissing(`${url} ${version}`, encodingOf(request), made))
  }

  async function sendCached(match: CachedMatch, request: FastifyRequest, reply: FastifyReply) {
    const page = canonicalPage(match, urlOf(request))
    if (page === 'uncached') return sendRendered(request, reply)
    if (page === 'malformed') return sendMissing(request, reply, missingUrl(match.pattern))
    if (!page.isCanonical) return reply.header('cache-control', REDIRECT_CACHING).redirect(page.url, 301)
    const version = await versionOf(page)
    // Nobody can tell whether it is private or was never there.
    if (version === null) return sendMissing(request, reply, missingUrl(match.pattern))
    const etag = etagOf([page.url, await sharedVersion(request.log), version])
    if (hasCopy(request, etag)) return sendNotModified(reply, etag)
    const encoding = encodingOf(request)
    if (!cache.has(etag, encoding)) {
      const found = await publicPages.find(page.values)
      if (found === 'no milestone') return reply.header('cache-control', 'no-store').redirect(page.path, 302)
      if (found === 'no page')
        return sendMissing(request, reply, `${page.path}?page=${PAST_THE_END}`, version)
      // It leads back to the project, and is one page for all entries that the project does not have.
      if (found === 'no entry') {
        const { projectId = '' } = page.values
        return sendMissing(request, reply, missingUrl(match.pattern, { projectId }), version)
      }
    }
    const made = () => makeForAll(page.url, request.log, etag)
    return send(request, reply, await cache.obtain(etag, encoding, made))
  }

  /** Sends what a page shows, for React Router to render it in the browser. */
  async function sendData(match: CachedMatch, request: FastifyRequest, reply: FastifyReply) {
    const asked = urlOf(request)
    const page = canonicalPage(match, asked)
    const version = typeof page === 'string' ? null : await versionOf(page)
    if (typeof page === 'string' || version === null) return sendRendered(request, reply)
    const url = dataUrl(page, asked.searchParams)
    const etag = etagOf([url, await sharedVersion(request.log), version])
    if (hasCopy(request, etag)) return sendNotModified(reply, etag)
    const made = () => makeForAll(url, request.log, etag)
    return send(request, reply, await cache.obtain(etag, encodingOf(request), made))
  }

  /** Changes whenever anything that the page shows does; null where the page is for nobody to see. */
  async function versionOf({ values: { projectId } }: CanonicalPage): Promise<string | null> {
    // Pages that belong to no project show nothing that changes but the year.
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
    if (match?.pattern === '*') return sendMissing(request, reply, NOWHERE)
    // A cached page whose path is spelt differently: React Router minds neither case nor a final slash.
    if (match?.cachedParams) return sendCached({ ...match, cachedParams: match.cachedParams }, request, reply)
    return sendRendered(request, reply)
  })
}

const encodingOf = ({ headers }: FastifyRequest) => encodingIn(headers['accept-encoding'])

/** Whether the client has the page already. `*` names every page that exists, which only rendering tells. */
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
  if (etag && isKnown(etag, request.headers['if-none-match'])) return sendNotModified(reply, etag)
  return reply.code(status).headers(headers).send(body)
}

function sendNotModified(reply: FastifyReply, etag: string) {
  return reply
    .code(304)
    .headers({ ...notModifiedHeaders, etag })
    .send()
}
