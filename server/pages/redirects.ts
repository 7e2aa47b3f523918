import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CachedMatch, withoutPunctuation } from './canonical.ts'
import type { PublicReader } from './page-data.ts'

/** Of redirects that depend on nothing that is stored. */
export const REDIRECT_CACHING = 'public, max-age=3600'

/** Creates the redirects from addresses that lead to a page without being its own. */
export function createRedirects(urlOf: (request: FastifyRequest) => URL, reader: PublicReader) {
  /** Leads to the same place below another page: `below` is the number of segments before it. */
  function lead(request: FastifyRequest, reply: FastifyReply, to: string, below: number) {
    const { pathname, search } = urlOf(request)
    const rest = pathname.split('/').slice(below + 1)
    return reply.header('cache-control', 'no-store').redirect([to, ...rest].join('/') + search, 302)
  }

  return {
    /** Redirects from the readable address of a project, or from one below it. Returns undefined if it is none. */
    async fromSlug({ params }: CachedMatch, request: FastifyRequest, reply: FastifyReply) {
      const id = params.projectId === undefined ? null : await reader.projectAt(params.projectId)
      return id === null ? undefined : lead(request, reply, `/world/${id}`, 2)
    },

    /** Redirects from a former name of a person's page, or from one below it. */
    fromFormerName: (name: string, request: FastifyRequest, reply: FastifyReply) =>
      lead(request, reply, `/@${encodeURIComponent(name)}`, 1),

    /** Redirects from an address that was copied with the sentence around it. Returns undefined if it ends like an address. */
    fromCopied(request: FastifyRequest, reply: FastifyReply) {
      const { pathname, search } = urlOf(request)
      const trimmed = withoutPunctuation(pathname)
      if (trimmed === pathname || !/^\/\w/.test(trimmed)) return undefined
      return reply.header('cache-control', REDIRECT_CACHING).redirect(trimmed + search, 301)
    },
  }
}
