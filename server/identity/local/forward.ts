import { router } from 'better-auth/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { signInTexts } from '#contract/sign-in.ts'
import { AppError, conflict, forbidden, invalid, notSignedIn } from '#server/platform/api/errors.ts'
import { type Auth, IP_HEADER } from './auth.ts'

/** The response of better-auth. */
export type Forwarded = {
  ok: boolean
  status: number
  code: string | undefined
  body: Record<string, unknown>
}

const USER_AGENT_MAX = 400

/** Returns the client data that better-auth receives: the IP and the user agent, which it stores with the session. */
export function clientHeaders({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): Headers {
  return new Headers({ [IP_HEADER]: ip, 'user-agent': headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? '' })
}

/**
 * Forwards a call to better-auth with only the headers set here, so that it trusts no forwarded IP. Its cookies are sent to
 * the client. Our routes have already checked the origin.
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
  const headers = clientHeaders(request)
  if (request.headers.origin !== undefined) headers.set('origin', origin)
  if (request.headers.cookie !== undefined) headers.set('cookie', request.headers.cookie)
  if (body) headers.set('content-type', 'application/json')

  const handle = await handlerOf(auth)
  const response = await handle(
    new Request(new URL(`${auth.options.basePath}${path}`, origin), {
      method: request.method,
      headers,
      ...(body && { body: JSON.stringify(withSealedEmail(body)) }),
    }),
  )
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return read(response)
}

/** The domain of sealed addresses, which no address of a person has. */
const SEALED = '@sealed.invalid'

/**
 * Replaces the address of a call. better-auth accepts fewer addresses than browsers and our contract, such as none with `&` or a
 * top-level domain of another script; sealed, each passes its check.
 */
function withSealedEmail(body: object): object {
  if (!('email' in body)) return body
  const sealed = Buffer.from(String(body.email).toLowerCase()).toString('hex')
  return { ...body, email: `x${sealed}${SEALED}` }
}

const openedEmail = (email: string): string =>
  email.endsWith(SEALED) ? Buffer.from(email.slice(1, -SEALED.length), 'hex').toString() : email

type Context = Awaited<Auth['$context']>

/** Returns a context whose accounts are found and created by the addresses of people. */
function openingEmails(context: Context): Context {
  const { internalAdapter: adapter } = context
  return {
    ...context,
    internalAdapter: {
      ...adapter,
      findUserByEmail: (email, options) => adapter.findUserByEmail(openedEmail(email), options),
      createUser: (user, from) => adapter.createUser({ ...user, email: openedEmail(user.email) }, from),
    },
  }
}

type Handler = (request: Request) => Promise<Response>

const handlers = new WeakMap<Auth, Promise<Handler>>()

/**
 * Returns better-auth's router with its checks. better-auth's own `handler` rebuilds the routes and their schemas for each
 * request. Both modify only a copy of the context.
 */
function handlerOf(auth: Auth): Promise<Handler> {
  const known = handlers.get(auth)
  if (known) return known
  // Its types do not accept the context of our options.
  const created = auth.$context.then(
    (context) =>
      router(openingEmails(context) as unknown as Parameters<typeof router>[0], auth.options).handler,
  )
  handlers.set(auth, created)
  return created
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
    body,
  }
}

const appErrors: { [code: string]: () => AppError } = {
  INVALID_EMAIL: () => invalid([{ path: 'email', message: signInTexts.invalidEmail }]),
  PASSWORD_TOO_SHORT: () => invalid([{ path: 'password', message: signInTexts.weakPassword }]),
  USER_ALREADY_EXISTS: emailTaken,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: emailTaken,
}

/** Maps an error of better-auth to our codes. An unknown one becomes an Error and responds with 500. */
export function toAppError({ status, code }: Forwarded): Error {
  const create = code === undefined ? undefined : appErrors[code]
  if (create) return create()
  if (status === 401) return notSignedIn()
  if (status === 403) return forbidden()
  if (status === 400) return new AppError('invalid', 'The request could not be understood')
  return new Error(`the identity provider answered ${status} ${code ?? ''}`)
}

export function commonPassword(path = 'password'): AppError {
  const message = signInTexts.commonPassword
  return new AppError('common_password', message, { issues: [{ path, message }] })
}

/** The error of a password that consists of words of its account. */
export function passwordOfAccountWords(path = 'password'): AppError {
  const message =
    'This password is nothing else than your name, your email or “Milepost”. Please choose another.'
  return new AppError('common_password', message, { issues: [{ path, message }] })
}

export function emailTaken(): AppError {
  return conflict(signInTexts.emailTaken)
}
