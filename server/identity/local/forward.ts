import { router } from 'better-auth/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ADDRESS_HEADER, type Auth } from './auth.ts'

/** What better-auth answered: its status, the code of its refusal, its body. */
export type Forwarded = {
  ok: boolean
  status: number
  code: string | undefined
  retryAfter: number | undefined
  body: Record<string, unknown>
}

/**
 * Hands a call to better-auth with nothing of the request but what is named here: no forwarded address, no header
 * that it might believe. Its cookies go on to the client. The origin has been checked, so that it is our own.
 */
export async function forward(
  auth: Auth,
  {
    request,
    reply,
    path,
    body,
  }: { request: FastifyRequest; reply: FastifyReply; path: string; body?: object },
): Promise<Forwarded> {
  const origin = new URL(auth.options.baseURL).origin
  const headers = new Headers({ [ADDRESS_HEADER]: request.ip })
  if (request.headers.origin !== undefined) headers.set('origin', origin)
  if (request.headers.cookie !== undefined) headers.set('cookie', request.headers.cookie)
  if (body) headers.set('content-type', 'application/json')

  const handle = await handlerOf(auth)
  const response = await handle(
    new Request(new URL(`${auth.options.basePath}${path}`, origin), {
      method: request.method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return read(response)
}

type Handler = (request: Request) => Promise<Response>

const handlers = new WeakMap<Auth, Promise<Handler>>()

/**
 * better-auth's routes, its limits and checks before them. Its own `handler` makes all of them and their schemas anew
 * for each request; what a request changes of the context it changes in a copy, there as here.
 */
function handlerOf(auth: Auth): Promise<Handler> {
  const known = handlers.get(auth)
  if (known) return known
  // Its types know the context of any options and not that of ours.
  const made = auth.$context.then(
    (context) => router(context as unknown as Parameters<typeof router>[0], auth.options).handler,
  )
  handlers.set(auth, made)
  return made
}

async function read(response: Response): Promise<Forwarded> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const parsed: unknown = isJson && text ? JSON.parse(text) : {}
  const body = (parsed ?? {}) as Record<string, unknown>
  return {
    ok: response.ok,
    status: response.status,
    code: typeof body.code === 'string' ? body.code : undefined,
    retryAfter: Number(response.headers.get('x-retry-after')) || undefined,
    body,
  }
}
