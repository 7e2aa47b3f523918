import type { FastifyInstance } from 'fastify'
import type { CallParts } from '#contract/parts/call.ts'
import { passkeySignInCalls } from '#contract/passkeys.ts'
import { refuseForeignOrigin } from '#server/identity/origin.ts'
import { routeOf } from '#server/platform/api/calls.ts'
import type { PasskeySignIn } from './service.ts'

const { beginPasskeySignIn, signInWithPasskey } = passkeySignInCalls

/** Mounts the two calls of signing in with a passkey. */
export function passkeySignInRoutes(app: FastifyInstance, signIn: PasskeySignIn, publicUrl: string): void {
  const onRequest = async (request: Parameters<typeof refuseForeignOrigin>[0]) =>
    refuseForeignOrigin(request, publicUrl)

  app.route({
    ...routeOf('beginPasskeySignIn', beginPasskeySignIn),
    onRequest,
    handler: (request) => signIn.begin(request.ip),
  })

  app.route({
    ...routeOf('signInWithPasskey', signInWithPasskey),
    onRequest,
    async handler(request, reply) {
      const { credential } = request.body as CallParts<typeof signInWithPasskey>['body']
      const cookies = await signIn.finish(credential, request)
      return reply.header('set-cookie', cookies).code(204).send()
    },
  })
}
