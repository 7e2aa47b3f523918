import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EMAIL_MAX } from '#contract/email.ts'
import { id } from '#contract/parts/wire.ts'
import type { EmailChoice, Page } from '#contract/rendering.ts'
import type { Following } from '#server/followers/following.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { encodingIn } from '#server/platform/api/request-headers.ts'
import type { NewsStopping } from '#server/watching/mail/stopping.ts'
import type { PublicReader } from './page-data.ts'
import { encodePage, type FinishedPage } from './render.ts'

/** A form with the longest email, each character of which may be sent as twelve. */
const FORM_BYTES_MAX = 12 * EMAIL_MAX + 100

type Options = {
  following: Following
  newsStopping: NewsStopping
  reader: PublicReader
  /** Renders a page that only its reader may keep. */
  renderPrivate: (page: Page) => Promise<FinishedPage>
}

type Params = { id: string; proof: string }

/**
 * Mounts the pages on which people follow a public project by email, confirm it, and stop emails, without an account and without scripts.
 * Reading them changes nothing, because mail programs and scanners open links; their buttons, and the one of mail programs
 * (RFC 8058), send a form.
 */
export function emailChoiceRoutes(scope: FastifyInstance, options: Options): void {
  const { following, newsStopping, reader, renderPrivate } = options

  async function send(request: FastifyRequest, reply: FastifyReply, page: Page) {
    const encoding = encodingIn(request.headers['accept-encoding'])
    const { status, headers, body } = await encodePage(await renderPrivate(page), encoding)
    return reply.code(status).headers(headers).send(body)
  }

  const sendChoice = (request: FastifyRequest, reply: FastifyReply, choice: EmailChoice | null) =>
    send(request, reply, { kind: 'email choice', choice: choice ?? { step: 'not valid' } })

  async function confirmation({ id, proof }: Params, isPressed: boolean): Promise<EmailChoice | null> {
    const found = await following[isPressed ? 'decide' : 'read']('confirm', id, proof)
    if (!found?.project) return null
    const { project, isConfirmed, isShared } = found
    return { step: isConfirmed ? 'confirmed' : 'confirm', project, isShared }
  }

  async function stop(
    { kind, id, proof }: Params & { kind: string },
    isPressed: boolean,
  ): Promise<EmailChoice | null> {
    const step = isPressed ? 'stopped' : 'stop'
    if (kind === 'follower') {
      const found = await following[isPressed ? 'decide' : 'read']('stop', id, proof)
      return found && { step, emails: kind, project: found.project }
    }
    if (kind !== 'daily' && kind !== 'mention') return null
    const isFound = await newsStopping[isPressed ? 'stop' : 'isValid'](kind, id, proof)
    return isFound ? { step, emails: kind } : null
  }

  scope.register(async (forms) => {
    // What the form says does not matter, nor how a mail program writes it.
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, _body, done) => done(null, null),
    )
    const config = { takesForm: true } as const
    forms.get<{ Params: Params }>('/follow/:id/:proof', async (request, reply) =>
      sendChoice(request, reply, await confirmation(request.params, false)),
    )
    forms.post<{ Params: Params }>('/follow/:id/:proof', { config }, async (request, reply) =>
      sendChoice(request, reply, await confirmation(request.params, true)),
    )
    const stopping = '/unsubscribe/:kind/:id/:proof'
    forms.get<{ Params: Params & { kind: string } }>(stopping, async (request, reply) =>
      sendChoice(request, reply, await stop(request.params, false)),
    )
    forms.post<{ Params: Params & { kind: string } }>(stopping, { config }, async (request, reply) =>
      sendChoice(request, reply, await stop(request.params, true)),
    )
  })

  async function follow(projectId: string, request: FastifyRequest): Promise<Page> {
    const { project } = await reader.page(projectId, FIRST)
    const email = request.body instanceof URLSearchParams ? (request.body.get('email') ?? '') : ''
    // The form of another site does not speak for its visitor.
    if (request.headers['sec-fetch-site'] === 'cross-site') return { kind: 'follow', project }
    const asked = await following.ask(projectId, { email: email.slice(0, 2 * EMAIL_MAX), ip: request.ip })
    const { title } = project
    if (asked.outcome === 'asked')
      return {
        kind: 'email choice',
        choice: { step: 'asked', project: { title, path: `/world/${projectId}` } },
      }
    const { outcome, sentence } = asked
    return {
      kind: 'follow',
      project,
      refused: { status: outcome === 'too many' ? 429 : 400, sentence, email },
    }
  }

  scope.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    )
    forms.post<{ Params: { projectId: string } }>(
      '/world/:projectId/follow',
      { config: { takesForm: true } },
      async (request, reply) => {
        const projectId = id.safeParse(request.params.projectId).data
        try {
          if (projectId !== undefined) return await send(request, reply, await follow(projectId, request))
        } catch (error) {
          if (!(error instanceof AppError && error.code === 'not_found')) throw error
        }
        return send(request, reply, { kind: 'missing', what: 'project' })
      },
    )
  })
}

const FIRST = { milestone: undefined, tag: undefined, order: 'oldest', page: 1 } as const
