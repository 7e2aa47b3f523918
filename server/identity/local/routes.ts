import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { signInFields, signUpFields } from '#contract/identity.ts'
import { refuseForeignOrigin } from './origin.ts'
import type { LocalService } from './service.ts'

/** The provider's routes, beside those of a Google sign-in; of better-auth's own, none but these four is reachable. */
export function localRoutes(app: FastifyInstance, service: LocalService, publicUrl: string): void {
  const typed = app.withTypeProvider<ZodTypeProvider>()
  const onRequest = async (request: FastifyRequest) => refuseForeignOrigin(request, publicUrl)
  const shared = { tags: ['auth'], security: [] }

  typed.post('/api/auth/sign-up/email', {
    onRequest,
    schema: {
      ...shared,
      summary: "Make an account; the provider's session comes as a cookie",
      body: signUpFields,
    },
    handler: async (request, reply) => {
      await service.signUp({ request, reply }, request.body)
      return reply.code(204).send()
    },
  })

  typed.post('/api/auth/sign-in/email', {
    onRequest,
    schema: { ...shared, summary: "Sign in; the provider's session comes as a cookie", body: signInFields },
    handler: async (request, reply) => {
      await service.signIn({ request, reply }, request.body)
      return reply.code(204).send()
    },
  })

  typed.get('/api/auth/token', {
    onRequest,
    schema: {
      ...shared,
      summary: "An ID token of the provider's session, to be exchanged for an application token",
      response: { 200: z.object({ token: z.string() }) },
    },
    handler: async (request, reply) => ({ token: await service.idToken({ request, reply }) }),
  })

  typed.post('/api/auth/sign-out', {
    onRequest,
    schema: { ...shared, summary: "End the provider's session and every application token that came of it" },
    handler: async (request, reply) => {
      await service.signOut({ request, reply })
      return reply.code(204).send()
    },
  })
}
