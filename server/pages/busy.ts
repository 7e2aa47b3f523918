import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { AppError } from '#server/platform/errors.ts'

const STYLE =
  ':root{color-scheme:light dark;font:1.125rem/1.6 system-ui,sans-serif}' +
  'body{max-width:32rem;margin:20vh auto;padding:0 1.5rem}h1{font-size:1.5rem}'
const SOURCE = createHash('sha256').update(STYLE).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${SOURCE}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A page that needs nothing else of the server, where it has too much to do or somebody asks too much, and asks again by itself. */
export function sendBusy(reply: FastifyReply, { status, message, retryAfter = 5 }: AppError) {
  const seconds = Math.ceil(retryAfter)
  return reply
    .code(status)
    .headers({ 'retry-after': seconds, 'cache-control': 'no-store', 'content-security-policy': POLICY })
    .type('text/html; charset=utf-8')
    .send(page(message, seconds))
}

const page = (message: string, seconds: number) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${seconds}">
<title>One moment · Milepost</title>
<style>${STYLE}</style>
<main>
<h1>One moment, please</h1>
<p>${message}</p>
</main>
</html>
`
