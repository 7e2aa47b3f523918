import type { FastifyReply, FastifyRequest } from 'fastify'
import { id } from '#contract/parts/wire.ts'
import { type OfferedReaction, REACTIONS } from '#contract/reactions.ts'
import type { MissingPage, Page } from '#contract/rendering.ts'
import { formOf, formRoutes, isFromElsewhere } from '#server/pages/forms.ts'
import { privateHeaders } from '#server/pages/headers.ts'
import type { FeaturePages, PageMounting, PublicReader } from '#server/pages/sources.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import { createPublicReader } from '#server/public/pages.ts'
import { createSharedLinks } from '#server/shares/visits.ts'
import { type Browser, createReacting, type Reacting, type ReactionChange } from './reacting.ts'

const FORM_BYTES_MAX = 200
const PATH = '/world/:projectId/entries/:entryId/reactions'

type Request = FastifyRequest<{ Params: { projectId: string; entryId: string } }>

/** What a reader sees: a project's entry, or one that a link shows. */
type Reading = { reader: PublicReader; shown: Parameters<Reacting['read']>[0]; urlId: string }

/**
 * Mounts the reactions to entries, beside the pages of these entries, which are cached and therefore have no numbers. A page without
 * scripts, or for a script that asks for JSON, has them and takes them by a form. Whatever a reader does not see is missing.
 */
export function reactionPages({ scope, deps, publicUrl, sendPrivate }: PageMounting): FeaturePages {
  const reacting = createReacting(deps)
  const shares = createSharedLinks({ ...deps, publicUrl })
  const reader = createPublicReader(deps)

  /** Throws `not_found`. */
  async function readingOf({ params, headers }: Request): Promise<Reading> {
    const [urlId, entryId] = [params.projectId, params.entryId].map((text) => id.safeParse(text).data)
    if (urlId === undefined || entryId === undefined) throw notFound('Entry')
    if (!shares.hasOpened(headers.cookie)) return { reader, shown: { projectId: urlId, entryId }, urlId }
    const visit = await shares.visit(urlId, headers.cookie)
    if (!visit || visit.isLocked) throw notFound('Entry')
    const { projectId, linkId } = visit
    return { reader: shares.reader(visit), shown: { projectId, entryId, linkId }, urlId }
  }

  async function sendReactions(request: Request, reply: FastifyReply, refused?: AppError) {
    const { shown, urlId, reader } = await readingOf(request)
    const reactions = await reacting.read(shown, browserOf(request))
    if (asksForJson(request)) return sendJson(reply, reactions)
    const found = await reader.entry({ projectId: urlId, entryId: shown.entryId })
    const page: Page = { kind: 'reactions', found, reactions }
    return sendPrivate(request, reply, refused ? { ...page, refused: refused.message } : page)
  }

  async function change(request: Request, reply: FastifyReply) {
    const { shown } = await readingOf(request)
    const form = formOf(request)
    const wanted = form && changeIn(form)
    if (wanted && !isFromElsewhere(request)) {
      try {
        await reacting.set(shown, browserOf(request), wanted)
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error
        if (asksForJson(request)) return sendRefusal(reply, error)
        return sendReactions(request, reply, error)
      }
    }
    if (asksForJson(request)) return sendReactions(request, reply)
    return reply.headers(privateHeaders).redirect(request.url, 303)
  }

  /** Whatever a reader does not see is missing in the same way. */
  const orMissing =
    (answer: (request: Request, reply: FastifyReply) => Promise<FastifyReply>) =>
    async (request: Request, reply: FastifyReply) => {
      try {
        return await answer(request, reply)
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'not_found')) throw error
        if (asksForJson(request)) return sendRefusal(reply, notFound('Entry'))
        return sendPrivate(request, reply, missing)
      }
    }

  formRoutes(scope, FORM_BYTES_MAX, (forms) => {
    forms.get(PATH, orMissing(sendReactions))
    forms.post(PATH, { config: { takesForm: true } }, orMissing(change))
  })
  return {}
}

const missing: MissingPage = { kind: 'missing', what: 'entry' }

const browserOf = ({ ip, headers }: FastifyRequest): Browser => ({
  ip,
  userAgent: headers['user-agent'] ?? '',
})

const asksForJson = ({ headers }: FastifyRequest) => headers.accept === 'application/json'

const sendJson = (reply: FastifyReply, reactions: OfferedReaction[]) =>
  reply.headers(privateHeaders).send(reactions)

const sendRefusal = (reply: FastifyReply, { status, code, message }: AppError) =>
  reply.code(status).headers(privateHeaders).send({ code, message })

/** Returns the reaction that a form gives or takes back. */
function changeIn(form: URLSearchParams): ReactionChange | undefined {
  const isGiven = form.has('give')
  const kind = REACTIONS.find((known) => known === form.get(isGiven ? 'give' : 'take'))
  return kind && { kind, isGiven }
}
