import type { FastifyReply, FastifyRequest } from 'fastify'
import { id } from '#contract/parts/wire.ts'
import type { PageKind } from '#contract/rendering.ts'
import { LINK_PASSWORD_MAX } from '#contract/shares.ts'
import { formOf, formRoutes } from '#server/pages/forms.ts'
import { privateHeaders } from '#server/pages/headers.ts'
import {
  type Asked,
  type FeaturePages,
  NoSuchPage,
  type PageMounting,
  ShownElsewhere,
} from '#server/pages/sources.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import { createRequestLimit } from '#server/platform/limits/requests.ts'
import { networkOf } from '#server/platform/network.ts'
import { createSharedLinks, pathOfLink } from './visits.ts'

/** Pages of one link that are rendered for one network a minute. None of them is cached. */
const RENDERED_PER_MINUTE = 120
/** A form with the longest password, each character of which may be sent as twelve. */
const FORM_BYTES_MAX = 12 * LINK_PASSWORD_MAX + 100

/** Feeds have addresses that other programs keep, and nobody follows a link. */
const READABLE: readonly PageKind[] = ['project', 'entry', 'story', 'story.print']

/**
 * Mounts the pages for visitors of share links. `/s/{token}` gives the browser a cookie and leads to the address of what the link
 * shows, so that the token is in no address bar, history or referrer. Unknown, revoked and ended links have the same page.
 */
export function sharePages({ scope, deps, publicUrl, rateLimit, sendPrivate }: PageMounting): FeaturePages {
  const shares = createSharedLinks({ ...deps, publicUrl })
  const countRendering = rateLimit ? createRequestLimit(RENDERED_PER_MINUTE) : undefined

  /** Leads to a page with a cookie. */
  const enter = (reply: FastifyReply, { path, cookie }: { path: string; cookie: string }) =>
    reply.headers({ ...privateHeaders, 'set-cookie': cookie }).redirect(path, 303)

  const sendMissing = (request: FastifyRequest, reply: FastifyReply) =>
    sendPrivate(request, reply, { kind: 'missing', what: 'link' })

  scope.get<{ Params: { token: string } }>('/s/:token', async (request, reply) => {
    // A link is copied with the sentence around it, too. The token of one in an email has a dot.
    const [token = ''] = /^[\w-]*(?:\.[\w-]+)*/.exec(request.params.token) ?? []
    const opened = await shares.open(token)
    return opened ? enter(reply, opened) : sendMissing(request, reply)
  })

  formRoutes(scope, FORM_BYTES_MAX, (forms) => {
    forms.post<{ Params: { linkId: string } }>(
      '/world/:linkId/open',
      { config: { takesForm: true } },
      async (request, reply) => {
        const { linkId } = request.params
        const visit = await visitOf(linkId, request)
        if (!visit) return sendMissing(request, reply)
        const password = formOf(request)?.get('password') ?? ''
        const opened = await shares.unlock(visit, password.slice(0, LINK_PASSWORD_MAX), request.ip)
        return opened
          ? enter(reply, opened)
          : sendPrivate(request, reply, { kind: 'locked link', linkId, isWrong: true })
      },
    )
  })

  const visitOf = async (linkId: string, { headers }: FastifyRequest) =>
    id.safeParse(linkId).success ? shares.visit(linkId, headers.cookie) : null

  /** Sends the page of a link to a browser that has opened one. */
  async function sendShared({ kind, page, request, reply, read }: Asked): Promise<FastifyReply> {
    const { projectId: linkId = '' } = page.values
    const visit = await visitOf(linkId, request)
    if (!visit) return sendMissing(request, reply)
    if (visit.isLocked) return sendPrivate(request, reply, { kind: 'locked link', linkId, isWrong: false })
    const only = `${pathOfLink(linkId)}/entries/${visit.entryId}`
    if (kind === 'project' && visit.entryId !== null) return reply.headers(privateHeaders).redirect(only, 302)
    countRendering?.(`${networkOf(request.ip)} ${linkId}`)
    try {
      if (!READABLE.includes(kind)) throw notFound('Page')
      return await sendPrivate(request, reply, await read(shares.reader(visit)))
    } catch (error) {
      if (error instanceof ShownElsewhere)
        return reply.headers(privateHeaders).redirect(page.path + error.query, 302)
      if (error instanceof NoSuchPage) return sendPrivate(request, reply, error.page)
      if (error instanceof AppError && error.code === 'not_found') return sendMissing(request, reply)
      throw error
    }
  }

  return {
    instead: (asked) =>
      asked.page.values.projectId !== undefined && shares.hasOpened(asked.request.headers.cookie)
        ? sendShared(asked)
        : undefined,
  }
}
