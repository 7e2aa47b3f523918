import { createHash } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { isOutage } from '#server/database/outage.ts'
import { AppError, databaseUnavailable } from '#server/platform/api/errors.ts'
import { limitRequests } from '#server/platform/limits/requests.ts'
import { mountBuilt, mountDevelopment } from './build.ts'
import { siteHeaders } from './headers.ts'
import type { PagesOptions } from './render.ts'
import { pageRoutes } from './routes.ts'

const RETRY_STYLE =
  ':root{color-scheme:light dark;font:1.125rem/1.6 system-ui,sans-serif}' +
  'body{max-width:32rem;margin:20vh auto;padding:0 1.5rem}h1{font-size:1.5rem}'
const RETRY_STYLE_HASH = createHash('sha256').update(RETRY_STYLE).digest('base64')
const RETRY_POLICY = `default-src 'none'; style-src 'sha256-${RETRY_STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Mounts the server-rendered pages and their files. Every URL outside the API is a page; unknown ones get the 404 page. */
export async function mountPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  await app.register(async (pages) => {
    const headers = siteHeaders(options)
    pages.addHook('onRequest', (request, reply, done) => {
      reply.headers(headers)
      if (request.method === 'GET' || request.method === 'HEAD' || request.routeOptions.config.takesForm)
        done()
      else refuseMethod(reply)
    })
    pages.setNotFoundHandler((_request, reply) => sendText(reply, 404, 'Not found'))
    pages.setErrorHandler((error: FastifyError | AppError, request, reply) => {
      if (isOutage(error)) {
        request.log.warn({ err: error }, 'the database is not available')
        return sendRetryPage(reply, databaseUnavailable())
      }
      if (error instanceof AppError && error.retryAfter !== undefined) return sendRetryPage(reply, error)
      if (error instanceof AppError) return sendText(reply, error.status, error.message)
      // A path outside the directory of files, refused by the router.
      if (error.statusCode !== undefined && error.statusCode < 500) return sendText(reply, 404, 'Not found')
      request.log.error({ err: error }, 'a page failed')
      return sendText(reply, 500, 'Something went wrong on our side. Please try again.')
    })
    const build = options.mode === 'built' ? await mountBuilt(pages) : await mountDevelopment(pages)
    await pages.register(async (rendered) => {
      // Not for files: a page served just before the overload would remain inert without one of its scripts.
      if (options.admit) rendered.addHook('onRequest', options.admit)
      if (options.rateLimit) await limitRequests(rendered)
      pageRoutes(rendered, build, options)
    })
  })
}

function refuseMethod(reply: FastifyReply) {
  return sendText(reply.header('allow', 'GET, HEAD'), 405, 'Pages can only be read')
}

function sendText(reply: FastifyReply, status: number, sentence: string) {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(sentence)
}

/** Sends a self-contained page that reloads itself, for overload, outages and rate limits. */
function sendRetryPage(reply: FastifyReply, { status, message, retryAfter = 5 }: AppError) {
  const seconds = Math.ceil(retryAfter)
  return reply
    .code(status)
    .headers({ 'retry-after': seconds, 'cache-control': 'no-store', 'content-security-policy': RETRY_POLICY })
    .type('text/html; charset=utf-8')
    .send(retryPage(message, seconds))
}

const retryPage = (message: string, seconds: number) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${seconds}">
<title>One moment · Milepost</title>
<style>${RETRY_STYLE}</style>
<main>
<h1>One moment, please</h1>
<p>${message}</p>
</main>
</html>
`
