import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import type { Answer } from '#contract/rendering.ts'
import { isOutage } from '#server/database/outage.ts'
import { AppError, databaseUnavailable } from '#server/platform/errors.ts'
import type { Admit } from '#server/platform/load/overload.ts'
import { mountBuilt } from './pages/built.ts'
import { sendBusy } from './pages/busy.ts'
import { mountDevelopment } from './pages/development.ts'
import { siteHeaders } from './pages/headers.ts'
import { pageRoutes } from './pages/routes.ts'
import { limitRequests } from './platform/limits/requests.ts'
import type { PublicPages } from './world/public-pages.ts'

/** `built`: what `npm run build` made. `development`: the sources, through Vite. */
export type PagesMode = 'built' | 'development'

export type PagesOptions = {
  answer: Answer
  publicPages: PublicPages
  clock: () => Date
  publicUrl: string
  mode: PagesMode
  /** Where people sign in at Firebase: the host of its pages. */
  authDomain?: string | undefined
  /** Refuses what is too much. */
  admit?: Admit
  rateLimit: boolean
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
    if (options.admit) pages.addHook('onRequest', options.admit)
    pages.setNotFoundHandler((_request, reply) => say(reply, 404, 'Not found'))
    pages.setErrorHandler((error: FastifyError | AppError, request, reply) => {
      if (isOutage(error)) {
        request.log.warn({ err: error }, 'the database is not available')
        return sendBusy(reply, databaseUnavailable())
      }
      if (error instanceof AppError && error.retryAfter !== undefined) return sendBusy(reply, error)
      if (error instanceof AppError) return say(reply, error.status, error.message)
      // A path that leads out of the folder of files, which the router refuses by itself.
      if (error.statusCode !== undefined && error.statusCode < 500) return say(reply, 404, 'Not found')
      request.log.error({ err: error }, 'a page failed')
      return say(reply, 500, 'Something went wrong on our side. Please try again.')
    })
    const build = options.mode === 'built' ? await mountBuilt(pages) : await mountDevelopment(pages)
    await pages.register(async (rendered) => {
      if (options.rateLimit) await limitRequests(rendered)
      pageRoutes(rendered, build, options)
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
