import type { FastifyReply, FastifyRequest } from 'fastify'
import { withoutPunctuation } from '#contract/parts/paths.ts'
import type { CachedMatch } from './canonical.ts'
import type { FeaturePages } from './sources.ts'

/** Of redirects that depend on nothing that is stored. */
export const REDIRECT_CACHING = 'public, max-age=3600'

/** What other programs append to the address of a page, or feed readers try there, and what we have instead. */
const OTHER_ENDS = new Map(
  Object.entries({
    '': ['index.html', 'index.htm', 'index.php', 'entries'],
    '/feed.rss': ['feed', 'rss', 'feed.xml', 'rss.xml', 'index.xml', 'feed/rss'],
    '/feed.atom': ['atom', 'atom.xml', 'feed/atom'],
  }).flatMap(([end, others]) => others.map((other) => [other, end])),
)

/** Returns our path of what has this one elsewhere; undefined if we have nothing like it. */
function ownPathOf(pathname: string): string | undefined {
  if (/^\/index\.(?:html?|php)$/i.test(pathname)) return '/'
  const [, page, other = ''] = /^(\/(?:world\/|@)[^/]+)\/([a-z]+(?:[./][a-z]+)?)\/?$/i.exec(pathname) ?? []
  const end = OTHER_ENDS.get(other.toLowerCase())
  return page === undefined || end === undefined ? undefined : page + end
}

/** Creates the redirects from addresses that lead to a page without being its own. */
export function createRedirects(
  urlOf: (request: FastifyRequest) => URL,
  subjects: NonNullable<FeaturePages['subjects']>,
) {
  /** Leads from a path to the same place below another one with as many segments. */
  function toPath(path: string, request: FastifyRequest, reply: FastifyReply) {
    const { pathname, search } = urlOf(request)
    const rest = pathname.split('/').slice(path.split('/').length)
    return reply.header('cache-control', 'no-store').redirect([path, ...rest].join('/') + search, 302)
  }

  return {
    toPath,

    /** Redirects from a readable address, or from one below it. Returns undefined if it is none. */
    async fromText({ params }: CachedMatch, request: FastifyRequest, reply: FastifyReply) {
      for (const [param, text = ''] of Object.entries(params)) {
        const path = await subjects[param]?.pathOf?.(text)
        if (path) return toPath(path, request, reply)
      }
      return undefined
    },

    /** Redirects from an address that was copied with the sentence around it, or that is a habit of others. Returns undefined if it is neither. */
    fromOther(request: FastifyRequest, reply: FastifyReply) {
      const { pathname, search } = urlOf(request)
      const trimmed = withoutPunctuation(pathname)
      const isCopied = trimmed !== pathname && /^\/(?:\w|@[^/])/.test(trimmed)
      const path = isCopied ? trimmed : ownPathOf(pathname)
      if (path === undefined) return undefined
      return reply.header('cache-control', REDIRECT_CACHING).redirect(path + search, 301)
    },
  }
}
