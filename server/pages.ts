import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '#server/platform/calls.ts'
import { AppError } from '#server/platform/errors.ts'
import { mountBuilt } from './pages/built.ts'
import { mountDevelopment } from './pages/development.ts'
import { encode } from './pages/encoding.ts'
import { contentSecurityPolicy, pageHeaders, siteHeaders } from './pages/headers.ts'
import { freshNonce, NONCE_SLOT, SlottedPage } from './pages/nonce.ts'
import { isKnown } from './platform/validator.ts'

/** `built`: what `npm run build` made. `development`: the sources, through Vite. */
export type PagesMode = 'built' | 'development'

export type PagesOptions = {
  answer: Answer
  publicUrl: string
  mode: PagesMode
  /** Where people sign in at Firebase: the host of its pages. */
  authDomain?: string | undefined
}

/** Mounts the server-rendered pages and their files: whatever is no call of the API is a page, if only the 404 one. */
export async function mountPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  await app.register(async (pages) => {
    const headers = siteHeaders(options)
    pages.addHook('onRequest', (request, reply, done) => {
      reply.headers(headers)
      if (request.method === 'GET' || request.method === 'HEAD') done()
      else refuseMethod(reply)
    })
    pages.setNotFoundHandler((_request, reply) => say(reply, 404, 'Not found'))
    pages.setErrorHandler((error: FastifyError | AppError, request, reply) => {
      if (error instanceof AppError)
        return say(reply.header('retry-after', error.retryAfter), error.status, error.message)
      // A path that leads out of the folder of files, which the router refuses by itself.
      if (error.statusCode !== undefined && error.statusCode < 500) return say(reply, 404, 'Not found')
      report(request, error)
      return say(reply, 500, 'Something went wrong on our side. Please try again.')
    })

    const render = options.mode === 'built' ? await mountBuilt(pages) : await mountDevelopment(pages)
    pages.get('/*', async (request, reply) => {
      const page = await render(
        addressOf(request, options.publicUrl),
        { answer: options.answer, nonce: NONCE_SLOT, report: (error) => report(request, error) },
        untilClosed(reply),
      )
      return sendPage(request, reply, page, (nonce) => contentSecurityPolicy(options, nonce))
    })
  })
}

function refuseMethod(reply: FastifyReply) {
  return say(reply.header('allow', 'GET, HEAD'), 405, 'Pages can only be read')
}

function say(reply: FastifyReply, status: number, sentence: string) {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(sentence)
}

/** The page's address under the origin that people know, however the request names it (`//elsewhere`). */
function addressOf(request: FastifyRequest, publicUrl: string): URL {
  return new URL(publicUrl + request.url)
}

function report(request: FastifyRequest, error: unknown): void {
  request.log.error({ err: error }, 'a page failed')
}

function untilClosed(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  reply.raw.once('close', () => closed.abort())
  return closed.signal
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: Response,
  policyFor: (nonce: string) => string,
) {
  reply.code(rendered.status).headers(Object.fromEntries(rendered.headers)).headers(pageHeaders)
  reply.header('vary', 'accept-encoding')
  const page = new SlottedPage(await rendered.text())
  if (rendered.status === 503) reply.header('retry-after', 5)
  if (rendered.status !== 200) reply.header('cache-control', 'no-store')
  else {
    const validator = page.validator(policyFor(''))
    reply.header('cache-control', 'no-cache').header('etag', validator)
    // Without a policy of its own: the stored page keeps the one whose nonce its scripts carry.
    if (isKnown(validator, request.headers['if-none-match'])) return reply.code(304).send()
  }
  const nonce = freshNonce()
  const { body, encoding } = await encode(page.fill(nonce), request.headers['accept-encoding'])
  if (encoding) reply.header('content-encoding', encoding)
  return reply.header('content-security-policy', policyFor(nonce)).send(body)
}
