import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Auth } from '#server/identity/local/auth.ts'
import { refuseForeignOrigin } from '#server/identity/local/origin.ts'
import { notSignedIn } from '#server/platform/errors.ts'
import type { Confirmations } from './service.ts'

const tokenFields = z.object({ token: z.string().min(1).max(200) })

/** The routes by which a person who is signed in confirms their address, where this server sends mail. */
export function confirmationRoutes(
  app: FastifyInstance,
  { auth, confirmations, publicUrl }: { auth: Auth; confirmations: Confirmations; publicUrl: string },
): void {
  const typed = app.withTypeProvider<ZodTypeProvider>()
  const onRequest = async (request: FastifyRequest) => refuseForeignOrigin(request, publicUrl)
  const shared = { tags: ['auth'], security: [] }

  typed.post('/api/auth/verify-email', {
    onRequest,
    schema: {
      ...shared,
      summary: "Confirm the address of the provider's session by the token of a mailed link",
      body: tokenFields,
    },
    handler: async (request, reply) => {
      await confirmations.confirm(await userOf(auth, request), request.body.token)
      return reply.code(204).send()
    },
  })

  typed.post('/api/auth/send-verification-email', {
    onRequest,
    schema: { ...shared, summary: "Mail a new link to the address of the provider's session" },
    handler: async (request, reply) => {
      await confirmations.ask(await userOf(auth, request))
      return reply.code(204).send()
    },
  })
}

/** Whose session the cookie is of. Throws `not_signed_in`. */
async function userOf(auth: Auth, { headers }: FastifyRequest): Promise<string> {
  const session = await auth.api.getSession({
    headers: new Headers({ cookie: headers.cookie ?? '' }),
    query: { disableRefresh: true },
  })
  if (!session) throw notSignedIn()
  return session.user.id
}
