import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallParts } from '#contract/call.ts'
import { localProviderCalls } from '#contract/identity.ts'
import { GOOGLE_CALLBACK, GOOGLE_MESSAGE, type GoogleMessage, type GoogleOutcome } from '#contract/sign-in.ts'
import { ownOrigin, refuseForeignOrigin } from '#server/identity/origin.ts'
import { routeOf } from '#server/platform/calls.ts'
import { IssuerUnavailable } from './issuer.ts'
import type { GoogleService } from './sign-in.ts'

const { startGoogleSignIn, finishGoogleSignIn } = localProviderCalls

/** Mounts the two calls that the popup of a Google sign-in opens. */
export function googleRoutes(app: FastifyInstance, service: GoogleService, publicUrl: string): void {
  app.route({
    ...routeOf('startGoogleSignIn', startGoogleSignIn),
    onRequest: [allowOpener, async (request) => refuseForeignOrigin(request, publicUrl)],
    handler: async (request, reply) => {
      const { window } = request.query as CallParts<typeof startGoogleSignIn>['query']
      try {
        const callback = new URL(GOOGLE_CALLBACK, ownOrigin(request, publicUrl))
        const { url, cookies } = await service.start(window, callback, request.headers.cookie)
        return await reply.header('set-cookie', cookies).redirect(url.href)
      } catch (error) {
        if (error instanceof IssuerUnavailable) return sendResult(reply, window, 'unavailable')
        logFault(request, error)
        return sendResult(reply.code(500), window, 'failed')
      }
    },
  })

  app.route({
    ...routeOf('finishGoogleSignIn', finishGoogleSignIn),
    onRequest: allowOpener,
    handler: async (request, reply) => {
      const answer = new URL(request.url, ownOrigin(request, publicUrl))
      const ending = await service.finish(answer, request.headers.cookie, request)
      const { window, outcome, cookies, reason, fault } = ending
      if (reason) request.log.warn({ reason }, `a Google sign-in ${outcome}`)
      if (fault) logFault(request, fault)
      return sendResult(reply.code(fault ? 500 : 200).header('set-cookie', cookies), window, outcome)
    },
  })
}

/** An opener policy would disconnect the popup from the page that waits for it. */
async function allowOpener(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.removeHeader('cross-origin-opener-policy')
  reply.header('content-security-policy', resultPagePolicy)
}

function sendResult(reply: FastifyReply, window: string, outcome: GoogleOutcome) {
  return reply.type('text/html; charset=utf-8').send(resultPage(window, outcome))
}

/** Logs an internal error. The popup shows it like any other failure, so that it closes. */
function logFault(request: FastifyRequest, fault: unknown): void {
  request.log.error({ err: fault }, 'unexpected error')
}

/** Only a page of the same origin receives the message. */
const SCRIPT = `
const message = JSON.parse(document.getElementById('message').textContent)
if (opener) opener.postMessage(message, location.origin)
close()
`

const sentences: { [outcome in GoogleOutcome]: string } = {
  'signed-in': 'You are signed in.',
  'second-factor': 'The next step is in the window behind this one.',
  cancelled: 'The sign-in was cancelled.',
  unavailable: 'Google cannot be reached at the moment.',
  closed: 'You have no account on this server, and you need an invitation to create one.',
  failed: 'The sign-in failed.',
}

/** The content security policy of the result page. It allows the page's one script. */
const resultPagePolicy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';')

/** The last page of the popup. It posts the outcome to the page that opened it, and closes. */
function resultPage(window: string, outcome: GoogleOutcome): string {
  const message: GoogleMessage = { type: GOOGLE_MESSAGE, window, outcome }
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Milepost</title></head>
<body>
<p>${sentences[outcome]} You can close this window.</p>
<script type="application/json" id="message">${JSON.stringify(message)}</script>
<script>${SCRIPT}</script>
</body>
</html>`
}
