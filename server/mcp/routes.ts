import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Authenticate, bearerOf, type Grant } from '#server/platform/api/calls.ts'
import { AppError, forbidden } from '#server/platform/api/errors.ts'

/** The maximum size of a message: one entry, at up to four bytes per character. */
const MESSAGE_BYTES = 1_000_000

/** An error response of JSON-RPC to a request that is none. */
const refusal = (message: string) => ({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null })

const NEEDS_TOKEN =
  'This address takes access tokens, made in the settings, in the header “Authorization: Bearer” and the token'

/** Returns the token of a request. Throws with what a program has to send. */
function tokenOf(request: FastifyRequest): string {
  try {
    return bearerOf(request)
  } catch {
    throw new AppError('not_signed_in', NEEDS_TOKEN)
  }
}

type McpOptions = { publicUrl: string; authenticate: Authenticate }

/** Mounts the Model Context Protocol over streamable HTTP, without sessions. Its tools are calls of the contract. */
export function mcpRoutes(api: FastifyInstance, { publicUrl, authenticate }: McpOptions): void {
  const { origin } = new URL(publicUrl)

  async function requireProgram(request: FastifyRequest): Promise<Grant> {
    if (request.headers.origin !== undefined && request.headers.origin !== origin)
      throw forbidden('Pages of other sites cannot use this address')
    const { grant } = await authenticate(tokenOf(request))
    if (!grant) throw new AppError('not_signed_in', NEEDS_TOKEN)
    return grant
  }

  const grants = new WeakMap<FastifyRequest, Grant>()
  api.post('/mcp', {
    schema: { hide: true },
    bodyLimit: MESSAGE_BYTES,
    // Before the body is read.
    onRequest: async (request, reply) => {
      reply.header('www-authenticate', 'Bearer')
      grants.set(request, await requireProgram(request))
      reply.removeHeader('www-authenticate')
    },
    handler: async (request, reply) => {
      const grant = grants.get(request)
      if (!grant) throw new Error('a message was answered without its token')
      // The protocol dropped batches in June 2025, and one batch can contain thousands of calls.
      if (Array.isArray(request.body))
        return reply.code(400).send(refusal('Send one message at a time, not a batch'))
      // Loaded with the first message, because most servers get none.
      const { handleMessage } = await import('./handler.ts')
      const response = await handleMessage(api, request, grant)
      const type = response.headers.get('content-type')
      if (type !== null) reply.type(type)
      return reply.code(response.status).send(await response.text())
    },
  })

  // What clients look up and send to sign in by OAuth once they lack a token or have an old one. A page in the place of these
  // responses would be reported to people as an error of syntax.
  for (const url of ['/.well-known/oauth-*', '/.well-known/openid-configuration'])
    api.get(url, { schema: { hide: true } }, async () => {
      throw new AppError('not_found', NEEDS_TOKEN)
    })
  api.post('/register', { schema: { hide: true } }, async (_request, reply) =>
    reply.code(403).send({
      error: 'access_denied',
      error_description: NEEDS_TOKEN,
      code: 'forbidden',
      message: NEEDS_TOKEN,
    }),
  )

  // Without sessions there is no stream to open or end.
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'] as const)
    api.route({
      method,
      url: '/mcp',
      schema: { hide: true },
      exposeHeadRoute: false,
      handler: async (_request, reply) => {
        reply.header('allow', 'POST')
        throw new AppError('wrong_method', 'Messages are sent to this address with POST')
      },
    })
}
