import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { MissingPage, Page, PageKind, PublicPagesBuild, ScreenMatch } from '#contract/rendering.ts'
import { isOutage } from '#server/database/outage.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { encodingIn, isKnown } from '#server/platform/api/request-headers.ts'
import { createRequestLimit } from '#server/platform/limits/requests.ts'
import { networkOf } from '#server/platform/network.ts'
import type { MountedBuild } from './build.ts'
import { type CachedMatch, type CanonicalPage, canonicalPage } from './canonical.ts'
import { emailChoiceRoutes } from './email-choices.ts'
import { notModifiedHeaders } from './headers.ts'
import { invitationAt } from './invitation.ts'
import { createPageCache } from './page-cache.ts'
import { missingOf, NoSuchPage, readPage, ShownElsewhere } from './page-data.ts'
import { reactionRoutes } from './reactions.ts'
import { createRedirects, REDIRECT_CACHING } from './redirects.ts'
import { createPageRenderer, encodePage, etagOf, type FinishedPage, type PagesOptions } from './render.ts'
import { sharedLinkRoutes } from './shared-links.ts'

const CANONICAL_PAGES_MAX = 2_000
/** Pages of one project that are rendered for one network a minute: more than anybody reads, and as many as a crawler fetches. */
const RENDERED_PER_MINUTE = 120

/** Mounts the pages of a build: one route for each page that is the same for everybody, and one for all other URLs. */
export function pageRoutes(scope: FastifyInstance, build: MountedBuild, options: PagesOptions): void {
  const { publicPages, publicUrl, clock, reader } = options
  const { renderPage, renderPrivate, readShared } = createPageRenderer(build, options)
  const { hasOpened, sendShared } = sharedLinkRoutes(scope, { ...options, renderPrivate })
  emailChoiceRoutes(scope, { ...options, renderPrivate })
  reactionRoutes(scope, { ...options, renderPrivate })
  const cache = createPageCache()
  const countRendering = options.rateLimit ? createRequestLimit(RENDERED_PER_MINUTE) : undefined
  const canonicalPages = new LRUCache<string, CanonicalPage>({ max: CANONICAL_PAGES_MAX })
  const latestEtags = new WeakMap<CanonicalPage, { shared: string; own: string; etag: string }>()
  const matchPublic = matcherOf(build.publicPages.publicRoutes)

  /** Returns the URL under the public origin, whatever the request target contains (`//elsewhere`). */
  const urlOf = (request: FastifyRequest) => new URL(publicUrl + request.url)
  const redirects = createRedirects(urlOf, reader)

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
  function etagFor(page: CanonicalPage, shared: string, own: string) {
    const latest = latestEtags.get(page)
    if (latest?.own === own && latest.shared === shared) return latest.etag
    const etag = etagOf([page.url, shared, own])
    latestEtags.set(page, { shared, own, etag })
    return etag
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page) {
    const { settings } = await readShared()
    return send(request, reply, await encodePage(await renderPage(page, settings), encodingOf(request)))
  }

  /** Sends the page of something that does not exist, which is rendered once for each version of what it shows. */
  async function sendMissing(request: FastifyRequest, reply: FastifyReply, page: MissingPage, own = '') {
    const { settings, version } = await readShared()
    const create = () => renderPage(page, settings)
    const key = `${JSON.stringify(page)} ${version} ${own}`
    return send(request, reply, await cache.obtainMissing(key, encodingOf(request), create))
  }

  /** Sends a screen of the app as a visitor sees it. Behind the guard that is the same for everybody, and rendered once. */
  async function sendScreen(request: FastifyRequest, reply: FastifyReply, match: ScreenMatch) {
    const { settings, version } = await readShared()
    const { pathname, search } = urlOf(request)
    const encoding = encodingOf(request)
    try {
      if (match.isSameForAll) {
        const create = () => renderPage({ kind: 'screen', path: match.pattern }, settings)
        const key = `screen ${match.pattern} ${version}`
        return send(request, reply, await cache.obtain({ key }, encoding, create))
      }
      const invitation = await invitationAt(pathname, options.runCall)
      const page = await renderPage({ kind: 'screen', path: pathname + search, invitation }, settings)
      return send(request, reply, await encodePage(page, encoding))
    } catch (error) {
      if (error instanceof AppError || isOutage(error)) throw error
      request.log.error({ err: error }, 'a page failed')
      return sendPage(request, reply, { kind: 'failed', isWorld: false })
    }
  }

  /** Sends the page of a search, which is not cached: searches are countless, and the index may follow a change later. */
  async function sendSearch(request: FastifyRequest, reply: FastifyReply, { values }: CanonicalPage) {
    const { projectId = '', q = '', page = 1 } = values
    const search = { q, page: Number(page), network: networkOf(request.ip) }
    return sendPage(request, reply, {
      kind: 'search',
      q,
      ...(await options.searchPublic(projectId, search)),
    })
  }

  async function sendCached(
    { kind, ...match }: CachedMatch & { kind: PageKind },
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const page = canonicalPageOf(match, request)
    if (page === 'bypass') return sendScreen(request, reply, { pattern: match.pattern, isSameForAll: false })
    const missing = missingOf(kind)
    if (page === 'malformed')
      return (
        (await redirects.fromSlug(match, request, reply)) ??
        redirects.fromCopied(request, reply) ??
        sendMissing(request, reply, missing)
      )
    if (!page.isCanonical) return reply.header('cache-control', REDIRECT_CACHING).redirect(page.url, 301)
    const isSearch = kind === 'search'
    if (!isSearch && page.values.projectId !== undefined && hasOpened(request))
      return sendShared(request, reply, { kind, page })
    const own = await versionOf(page)
    // Private and missing projects have the same page, and so have those of people that are off and that never were.
    if (own === null) return sendMissing(request, reply, missing)
    if (typeof own !== 'string') return redirects.fromFormerName(own.name, request, reply)
    const { settings, version } = await readShared()
    const etag = etagFor(page, version, own)
    if (!isSearch && hasCopy(request, etag)) return sendNotModified(request, reply, etag)
    const encoding = encodingOf(request)
    const { projectId, profile } = page.values
    const project = projectId ?? profile
    const cached = isSearch ? undefined : cache.get({ key: etag, project }, encoding)
    if (cached) return send(request, reply, cached)
    if (project !== undefined) countRendering?.(`${networkOf(request.ip)} ${project}`)
    try {
      if (isSearch) return await sendSearch(request, reply, page)
      const create = async () => renderPage(await readPage(kind, page, { reader, clock }), settings, etag)
      return send(request, reply, await cache.obtain({ key: etag, project }, encoding, create))
    } catch (error) {
      if (error instanceof ShownElsewhere)
        return reply.header('cache-control', 'no-store').redirect(page.path + error.query, 302)
      if (error instanceof NoSuchPage) return sendMissing(request, reply, error.page, own)
      if (isSearch && error instanceof AppError && error.code === 'not_found')
        return sendMissing(request, reply, missing)
      if (error instanceof AppError || isOutage(error)) throw error
      request.log.error({ err: error }, 'a page failed')
      return sendPage(request, reply, { kind: 'failed', isWorld: projectId !== undefined })
    }
  }

  /**
   * Returns a text that changes with anything that the page shows; null if the page is not public, and the current name of a person's page
   * for a former one.
   */
  function versionOf({
    values: { projectId, profile },
  }: CanonicalPage): Promise<string | { name: string } | null> | string {
    if (profile !== undefined)
      return options
        .profileVersion(profile)
        .then((found) => (found?.name === profile ? found.version : found))
    // Pages without a project change only with the year.
    return projectId === undefined ? String(clock().getUTCFullYear()) : publicPages.version(projectId)
  }

  for (const { pattern, cachedParams, kind } of build.publicPages.publicRoutes) {
    scope.get(pattern, (request, reply) => {
      const params = request.params as CachedMatch['params']
      return sendCached({ pattern, cachedParams, kind, params }, request, reply)
    })
  }

  /** The terms of the administrators, or a redirect to those of the operator. */
  scope.get('/terms', async (request, reply) => {
    const { settings } = await readShared()
    const { termsUrl = '/' } = settings.identity
    if (!termsUrl.startsWith('/')) return reply.redirect(termsUrl, 302)
    try {
      const terms = await options.runCall('readTerms', {})
      return await sendPage(request, reply, { kind: 'terms', terms })
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found')
        return sendMissing(request, reply, { kind: 'missing', what: 'page' })
      throw error
    }
  })

  scope.get('/*', async (request, reply) => {
    const { pathname } = urlOf(request)
    // A page with a differently spelled path.
    const cached = matchPublic(pathname)
    if (cached) return sendCached(cached, request, reply)
    const screen = build.publicPages.screenAt(pathname)
    const hasToken = screen?.pattern.startsWith('/invite/')
    if (screen && !hasToken) return sendScreen(request, reply, screen)
    const redirected = redirects.fromCopied(request, reply)
    if (redirected) return redirected
    if (screen) return sendScreen(request, reply, screen)
    return sendMissing(request, reply, { kind: 'missing', what: 'page' })
  })
}

/** Returns a function that finds the public page of a path in any case, with any number of final slashes. */
export function matcherOf(routes: PublicPagesBuild['publicRoutes']) {
  const matchers = routes.map((route) => {
    const path = route.pattern.replace(/\/$/, '').replaceAll('.', '\\.')
    return { route, test: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/*$`, 'i') }
  })
  return (pathname: string) => {
    for (const { route, test } of matchers) {
      const found = test.exec(pathname)
      if (found) {
        const params = Object.entries({ ...found.groups }).map(([name, value]) => [
          name,
          decodeURIComponent(value),
        ])
        return { ...route, params: Object.fromEntries(params) as CachedMatch['params'] }
      }
    }
    return null
  }
}

const encodingOf = ({ headers }: FastifyRequest) => encodingIn(headers['accept-encoding'])

/** Returns whether the client already has the page. `*` matches every existing page, which only rendering can determine. */
function hasCopy({ headers }: FastifyRequest, etag: string): boolean {
  const { 'if-none-match': ifNoneMatch } = headers
  return ifNoneMatch !== '*' && isKnown(etag, ifNoneMatch)
}

function send(request: FastifyRequest, reply: FastifyReply, { status, headers, body }: FinishedPage) {
  const { etag } = headers
  const modified = modifiedOf(headers)
  if (etag && (isKnown(etag, request.headers['if-none-match']) || isOfThen(request, modified)))
    return sendNotModified(request, reply, etag, modified)
  reply.code(status).headers(headers).headers(varyOf(request))
  if (modified === undefined) reply.removeHeader('last-modified')
  if (isOpenedFeed(request, headers)) reply.type('application/xml; charset=utf-8')
  return reply.send(body)
}

/** When a feed last changed; undefined within that second, in which it may change again. */
function modifiedOf({ 'last-modified': modified }: FinishedPage['headers']): string | undefined {
  return modified !== undefined && Date.now() - Date.parse(modified) >= 1_000 ? modified : undefined
}

/** Readers that know no ETag send back the time that they were told. Any other time is ignored, as one of their own clock. */
const isOfThen = ({ headers }: FastifyRequest, modified: string | undefined) =>
  headers['if-none-match'] === undefined &&
  modified !== undefined &&
  headers['if-modified-since'] === modified

/** Who opens a feed in a browser sees it in its style as plain XML; some browsers would offer a file of another type to be saved. */
const isOpenedFeed = ({ headers }: FastifyRequest, { 'content-type': type = '' }: FinishedPage['headers']) =>
  headers['sec-fetch-dest'] === 'document' && /^application\/(?:atom|rss)\+xml/.test(type)

const varyOf = ({ url }: FastifyRequest) =>
  /\/feed\.(?:atom|rss)(?:\?|$)/.test(url) ? { vary: 'accept-encoding, sec-fetch-dest' } : {}

function sendNotModified(request: FastifyRequest, reply: FastifyReply, etag: string, modified?: string) {
  return reply
    .code(304)
    .headers({
      ...notModifiedHeaders,
      ...varyOf(request),
      etag,
      ...(modified !== undefined && { 'last-modified': modified }),
    })
    .send()
}
