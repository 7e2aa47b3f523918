import type { FastifyInstance } from 'fastify'
import { localProviderCalls } from '#contract/identity.ts'
import { type Call, type CallParts, type CallResponse, successStatus } from '#contract/parts/call.ts'
import type { Confirmations } from '#server/identity/emailed-links/confirmation.ts'
import type { PasswordResets } from '#server/identity/emailed-links/password-reset.ts'
import { refuseForeignOrigin } from '#server/identity/origin.ts'
import { routeOf } from '#server/platform/api/calls.ts'
import type { Exchange, LocalService } from './service.ts'

type ProviderCalls = typeof localProviderCalls

type Handler<N extends keyof ProviderCalls> = (
  request: Exchange & CallParts<ProviderCalls[N]>,
) => Promise<CallResponse<ProviderCalls[N]>>

type Deps = {
  service: LocalService
  confirmations: Confirmations | undefined
  passwordResets: PasswordResets
  publicUrl: string
  /** Whether users sign in only through an issuer; `refuseOtherSignIns` then mounts the password calls. */
  issuerOnly: boolean
}

/** Mounts the calls of the local provider, except those of an issuer. */
export function localRoutes(
  app: FastifyInstance,
  { service, confirmations, passwordResets, publicUrl, issuerOnly }: Deps,
): void {
  function serve<N extends keyof ProviderCalls>(name: N, handler: Handler<N>) {
    const call: Call = localProviderCalls[name]
    app.route({
      ...routeOf(name, call),
      onRequest: async (request) => refuseForeignOrigin(request, publicUrl),
      handler: async (request, reply) => {
        // Fastify has parsed the body by the schema of this call, which TypeScript cannot know.
        const result = await handler({ request, reply, body: request.body } as unknown as Parameters<
          Handler<N>
        >[0])
        return reply.code(successStatus(call)).send(result)
      },
    })
  }

  serve('readIdToken', async (exchange) => ({ token: await service.idToken(exchange) }))
  serve('signOutAtProvider', (exchange) => service.signOut(exchange))
  if (!issuerOnly) {
    serve('signUpAtProvider', ({ body, ...exchange }) => service.signUp(exchange, body))
    serve('signInAtProvider', ({ body, ...exchange }) => service.signIn(exchange, body))
    serve('finishSignInAtProvider', ({ body, ...exchange }) => service.finishSignIn(exchange, body.code))
    const { ask, redeem } = passwordResets
    if (ask) serve('requestPasswordReset', ({ body, request }) => ask(body.email, request.ip))
    serve('resetPassword', ({ body, request }) => redeem(body, request.ip))
  }
  if (!confirmations) return
  serve('verifyEmail', async ({ body, ...exchange }) =>
    confirmations.confirm(await service.userOf(exchange), body.token),
  )
  serve('sendVerificationEmail', async (exchange) => confirmations.ask(await service.userOf(exchange)))
}
