import type { FastifyReply, FastifyRequest } from 'fastify'
import { withoutPunctuation } from '#contract/parts/paths.ts'
import type { CachedMatch } from './canonical.ts'
import type { FeaturePages } from './sources.ts'

/** Of redirects that depend on nothing that is stored. */
export const REDIRECT_CACHING = 'public, max-age=3600'

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

    /** Redirects from an address that was copied with the sentence around it. Returns undefined if it ends like an address. */
    fromCopied(request: FastifyRequest, reply: FastifyReply) {
      const { pathname, search } = urlOf(request)
      const trimmed = withoutPunctuation(pathname)
      if (trimmed === pathname || !/^\/\w/.test(trimmed)) return undefined
      return reply.header('cache-control', REDIRECT_CACHING).redirect(trimmed + search, 301)
    },
  }
}
