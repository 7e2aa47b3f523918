import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { PageKind } from '#contract/rendering.ts'
import { createRequestLimit } from '#server/platform/limits/requests.ts'
import { networkOf } from '#server/platform/network.ts'
import { type CachedMatch, type CanonicalPage, canonicalPage } from './canonical.ts'
import { type PageKey, pageKey } from './page-cache.ts'
import { createRedirects, REDIRECT_CACHING } from './redirects.ts'
import { etagOf, type PagesOptions } from './render.ts'
import { encodingOf, hasCopy, send, sendNotModified } from './responses.ts'
import type { PageSender } from './send.ts'
import {
  type Asked,
  type FeaturePages,
  NoSuchPage,
  type PageSource,
  readPage,
  ShownElsewhere,
} from './sources.ts'

const CANONICAL_PAGES_MAX = 2_000
/** Pages of one project that are rendered for one network a minute: more than anybody reads, and as many as a crawler fetches. */
const RENDERED_PER_MINUTE = 120

export type AskedPage = CachedMatch & { kind: PageKind }
type Redirects = ReturnType<typeof createRedirects>
type Collected = Required<Pick<FeaturePages, 'sources' | 'subjects'>> & {
  insteads: NonNullable<FeaturePages['instead']>[]
}

type Options = { urlOf: (request: FastifyRequest) => URL; redirects: Redirects } & Pick<
  PagesOptions,
  'deps' | 'rateLimit'
>

/** Returns the function that sends the pages that are the same for everybody: from the cache, or read and rendered. */
export function createCachedPages(
  sender: PageSender,
  { sources, subjects, insteads }: Collected,
  { urlOf, redirects, deps, rateLimit }: Options,
) {
  const { sendMissing, sendFailed, sendScreen } = sender
  const remembered = rememberPages(urlOf)
  const subjectOf = subjectsIn(subjects)
  const sendKnown = createKnownPages(sender, remembered, rateLimit)
  /** Pages that are about nothing stored change only with the year. */
  const ofYear = () => ({ id: undefined, version: String(deps.clock().getUTCFullYear()) })

  return async function sendCached(match: AskedPage, request: FastifyRequest, reply: FastifyReply) {
    const { kind } = match
    const page = remembered.canonicalPageOf(match, request)
    if (page === 'bypass')
      return sendScreen(request, reply, { pattern: match.pattern, isSameForAll: false }, urlOf(request))
    const source = sources[kind]
    if (!source) throw new Error(`no feature reads the pages of the kind ${kind}`)
    if (page === 'malformed')
      return (
        (await redirects.fromText(match, request, reply)) ??
        redirects.fromOther(request, reply) ??
        sendMissing(request, reply, source.missing)
      )
    if (!page.isCanonical) return reply.header('cache-control', REDIRECT_CACHING).redirect(page.url, 301)
    if (!source.isUncached) {
      const asked = { kind, page, request, reply }
      const read: Asked['read'] = (reader) =>
        readPage(source, page, { network: networkOf(request.ip), reader })
      for (const instead of insteads) {
        const sent = instead({ ...asked, read })
        if (sent) return sent
      }
    }
    const { id, version } = subjectOf(page) ?? ofYear()
    const own = await version
    // Private and missing projects have the same page, and so have those of people that are off and that never were.
    if (own === null || own === undefined) return sendMissing(request, reply, source.missing)
    if (typeof own !== 'string') return redirects.toPath(own.path, request, reply)
    try {
      return await sendKnown({ source, page, id, own }, request, reply)
    } catch (error) {
      if (error instanceof ShownElsewhere)
        return reply.header('cache-control', 'no-store').redirect(page.path + error.query, 302)
      if (error instanceof NoSuchPage) return sendMissing(request, reply, error.page, own)
      return sendFailed(request, reply, error, page.values.projectId !== undefined)
    }
  }
}

type Known = { source: PageSource; page: CanonicalPage; id: string | undefined; own: string }

/** Returns the function that sends a page that is there: from the cache, or as its source reads it. */
function createKnownPages(
  { cache, renderPage, readShared, sendPage }: PageSender,
  remembered: ReturnType<typeof rememberPages>,
  rateLimit: PagesOptions['rateLimit'],
) {
  const countRendering = rateLimit ? createRequestLimit(RENDERED_PER_MINUTE) : undefined

  /** Counts a rendering for the network of a request, and returns how to read the page. */
  const countRead = ({ source, page, id }: Known, request: FastifyRequest) => {
    const network = networkOf(request.ip)
    if (id !== undefined) countRendering?.(`${network} ${id}`)
    return () => readPage(source, page, { network })
  }

  return async (known: Known, request: FastifyRequest, reply: FastifyReply) => {
    const { settings, version } = await readShared()
    if (known.source.isUncached) return sendPage(request, reply, await countRead(known, request)())
    const { etag, key } = remembered.latestOf(known, version)
    if (hasCopy(request, etag)) return sendNotModified(request, reply, etag)
    const encoding = encodingOf(request)
    const cached = cache.get(key, encoding)
    if (cached) return send(request, reply, cached)
    const read = countRead(known, request)
    const create = async () => renderPage(await read(), settings, etag)
    return send(request, reply, await cache.obtain(key, encoding, create))
  }
}

function subjectsIn(subjects: Collected['subjects']) {
  const byParam = Object.entries(subjects)
  /** Returns the id of what the page is about, and the version of that; undefined if it is about nothing. */
  return ({ values }: CanonicalPage) => {
    for (const [param, subject] of byParam) {
      const id = values[param]
      if (id !== undefined) return { id, version: subject.version(id) }
    }
    return undefined
  }
}

/** Remembers what takes longer to compute than to look up. */
function rememberPages(urlOf: (request: FastifyRequest) => URL) {
  const canonicalPages = new LRUCache<string, CanonicalPage>({ max: CANONICAL_PAGES_MAX })
  const latest = new WeakMap<CanonicalPage, Latest>()
  return {
    canonicalPageOf(match: CachedMatch, request: FastifyRequest) {
      const known = canonicalPages.get(request.url)
      if (known) return known
      const page = canonicalPage(match, urlOf(request))
      // Others are countless: unknown search parameters are ignored.
      if (typeof page !== 'string' && page.url === request.url) canonicalPages.set(page.url, page)
      return page
    },

    /** Returns the ETag of a page with the settings that all share and its own version, and its keys in the cache. */
    latestOf({ page, id, own }: Known, shared: string): Latest {
      const known = latest.get(page)
      if (known?.own === own && known.shared === shared) return known
      const etag = etagOf([page.url, shared, own])
      const made = { shared, own, etag, key: pageKey(etag, id) }
      latest.set(page, made)
      return made
    },
  }
}

type Latest = { shared: string; own: string; etag: string; key: PageKey }
