import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { id } from '#contract/parts/wire.ts'
import type { Page, PageKind } from '#contract/rendering.ts'
import { LINK_PASSWORD_MAX } from '#contract/shares.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import { encodingIn } from '#server/platform/api/request-headers.ts'
import { createRequestLimit } from '#server/platform/limits/requests.ts'
import { networkOf } from '#server/platform/network.ts'
import type { SharedLinks, Visit } from '#server/shares/visits.ts'
import type { CanonicalPage } from './canonical.ts'
import { privateHeaders } from './headers.ts'
import { NoSuchPage, type ReadKind, readPage, ShownElsewhere } from './page-data.ts'
import { encodePage, type FinishedPage } from './render.ts'

/** Pages of one link that are rendered for one network a minute. None of them is cached. */
const RENDERED_PER_MINUTE = 120
/** A form with the longest password, each character of which may be sent as twelve. */
const FORM_BYTES_MAX = 12 * LINK_PASSWORD_MAX + 100

const READABLE = ['project', 'entry', 'story', 'story.print'] as const satisfies ReadKind[]
const isReadable = (kind: PageKind): kind is (typeof READABLE)[number] =>
  (READABLE as readonly PageKind[]).includes(kind)

type Options = {
  shares: SharedLinks
  /** Renders a page that only its reader may keep. */
  renderPrivate: (page: Page) => Promise<FinishedPage>
  clock: () => Date
  rateLimit: boolean
}

type SharedPages = {
  /** Whether a request comes from a browser that has opened a link. */
  hasOpened: (request: FastifyRequest) => boolean
  /** Sends the page of a link to such a browser. */
  sendShared: (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: { kind: PageKind; page: CanonicalPage },
  ) => Promise<FastifyReply>
}

/**
 * Mounts the pages for visitors of share links. `/s/{token}` gives the browser a cookie and leads to the address of what the link
 * shows, so that the token is in no address bar, history or referrer. Unknown, revoked and ended links have the same page.
 */
export function sharedLinkRoutes(scope: FastifyInstance, options: Options): SharedPages {
  const { shares, renderPrivate, clock } = options
  const countRendering = options.rateLimit ? createRequestLimit(RENDERED_PER_MINUTE) : undefined

  async function send(request: FastifyRequest, reply: FastifyReply, page: Page) {
    const encoding = encodingIn(request.headers['accept-encoding'])
    const { status, headers, body } = await encodePage(await renderPrivate(page), encoding)
    return reply.code(status).headers(headers).send(body)
  }

  /** Leads to a page with a cookie. */
  const enter = (reply: FastifyReply, { path, cookie }: { path: string; cookie: string }) =>
    reply.headers({ ...privateHeaders, 'set-cookie': cookie }).redirect(path, 303)

  const sendMissing = (request: FastifyRequest, reply: FastifyReply) =>
    send(request, reply, { kind: 'missing', what: 'link' })

  scope.get<{ Params: { token: string } }>('/s/:token', async (request, reply) => {
    // A link is copied with the sentence around it, too. The token of one in an email has a dot.
    const [token = ''] = /^[\w-]*(?:\.[\w-]+)*/.exec(request.params.token) ?? []
    const opened = await shares.open(token)
    return opened ? enter(reply, opened) : sendMissing(request, reply)
  })

  scope.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    )
    forms.post<{ Params: { linkId: string } }>(
      '/world/:linkId/open',
      { config: { takesForm: true } },
      async (request, reply) => {
        const { linkId } = request.params
        const visit = await visitOf(linkId, request)
        if (!visit) return sendMissing(request, reply)
        const password = request.body instanceof URLSearchParams ? request.body.get('password') : null
        const opened = await shares.unlock(visit, (password ?? '').slice(0, LINK_PASSWORD_MAX), request.ip)
        return opened
          ? enter(reply, opened)
          : send(request, reply, { kind: 'locked link', linkId, isWrong: true })
      },
    )
  })

  const visitOf = async (linkId: string, { headers }: FastifyRequest) =>
    id.safeParse(linkId).success ? shares.visit(linkId, headers.cookie) : null

  return {
    hasOpened: ({ headers }) => shares.hasOpened(headers.cookie),

    async sendShared(request, reply, { kind, page }) {
      const { projectId: linkId = '' } = page.values
      const visit = await visitOf(linkId, request)
      if (!visit) return sendMissing(request, reply)
      if (visit.isLocked) return send(request, reply, { kind: 'locked link', linkId, isWrong: false })
      const only = `/world/${linkId}/entries/${visit.entryId}`
      if (kind === 'project' && visit.entryId !== null)
        return reply.headers(privateHeaders).redirect(only, 302)
      countRendering?.(`${networkOf(request.ip)} ${linkId}`)
      try {
        return await send(request, reply, await read(kind, page, visit))
      } catch (error) {
        if (error instanceof ShownElsewhere)
          return reply.headers(privateHeaders).redirect(page.path + error.query, 302)
        if (error instanceof NoSuchPage) return send(request, reply, error.page)
        if (error instanceof AppError && error.code === 'not_found') return sendMissing(request, reply)
        throw error
      }
    },
  }

  function read(kind: PageKind, page: CanonicalPage, visit: Visit): Promise<Page> {
    // Feeds have addresses that other programs keep, and nobody follows a link.
    if (!isReadable(kind)) throw notFound('Page')
    return readPage(kind, page, { reader: shares.reader(visit), clock })
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a page takes forms that are sent without scripts. */
    takesForm?: true
  }
}
