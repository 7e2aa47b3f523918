import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { GOOGLE_START, type GoogleOutcome } from '#contract/google.ts'
import { ownOrigin, refuseForeignOrigin } from '#server/identity/local/origin.ts'
import { answerPage, answerPagePolicy } from './answer-page.ts'
import { IssuerUnavailable } from './issuer.ts'
import type { GoogleService } from './service.ts'

const CALLBACK = '/api/auth/google/callback'

/** The two addresses that the window of a Google sign-in goes through on this server. */
export function googleRoutes(app: FastifyInstance, service: GoogleService, publicUrl: string): void {
  const typed = app.withTypeProvider<ZodTypeProvider>()
  const shared = { tags: ['auth'], security: [] }

  typed.get(GOOGLE_START, {
    onRequest: [ofWindow, async (request) => refuseForeignOrigin(request, publicUrl)],
    schema: {
      ...shared,
      summary: 'Begin a Google sign-in, in a window of its own',
      querystring: z.object({ window: z.string().regex(/^[\w-]{20,60}$/, 'must be a random name') }),
    },
    handler: async (request, reply) => {
      const { window } = request.query
      try {
        const callback = new URL(CALLBACK, ownOrigin(request, publicUrl))
        const { address, cookie } = await service.start(window, callback)
        return await reply.header('set-cookie', cookie).redirect(address.href)
      } catch (error) {
        if (error instanceof IssuerUnavailable) return sendAnswer(reply, window, 'unavailable')
        logFault(request, error)
        return sendAnswer(reply.code(500), window, 'failed')
      }
    },
  })

  typed.get(CALLBACK, {
    onRequest: ofWindow,
    schema: { ...shared, summary: 'Where the issuer sends the window back to' },
    handler: async (request, reply) => {
      const answer = new URL(request.url, ownOrigin(request, publicUrl))
      const ending = await service.finish(answer, request.headers.cookie, request.ip)
      const { window, outcome, cookies, reason, fault } = ending
      if (reason) request.log.warn({ reason }, `a Google sign-in ${outcome}`)
      if (fault) logFault(request, fault)
      return sendAnswer(reply.code(fault ? 500 : 200).header('set-cookie', cookies), window, outcome)
    },
  })
}

/** An opener policy would cut the window off from the page that waits for it. */
async function ofWindow(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.removeHeader('cross-origin-opener-policy')
  reply.header('content-security-policy', answerPagePolicy)
}

function sendAnswer(reply: FastifyReply, window: string, outcome: GoogleOutcome) {
  return reply.type('text/html; charset=utf-8').send(answerPage(window, outcome))
}

/** A fault of ours. The window must not stay open on it, so that it is told there like any other failure. */
function logFault(request: FastifyRequest, fault: unknown): void {
  request.log.error({ err: fault }, 'unexpected error')
}
