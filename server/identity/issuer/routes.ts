import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { localProviderCalls } from '#contract/identity.ts'
import type { CallParts } from '#contract/parts/call.ts'
import {
  ISSUER_CALLBACK,
  ISSUER_FRAGMENT,
  ISSUER_MESSAGE,
  type IssuerMessage,
  type IssuerOutcome,
} from '#contract/sign-in.ts'
import { ownOrigin, refuseForeignOrigin } from '#server/identity/origin.ts'
import { routeOf } from '#server/platform/api/calls.ts'
import { IssuerUnavailable } from './issuer.ts'
import type { IssuerSignIn, ProvingSession } from './sign-in.ts'

const { startGoogleSignIn, startGoogleProof, finishGoogleSignIn } = localProviderCalls

/** Mounts the calls that the popup of a sign-in through an issuer, or of a proof by it, opens. */
export function issuerRoutes(
  app: FastifyInstance,
  service: IssuerSignIn,
  { publicUrl, issuerName, findSession }: Deps,
): void {
  const end = (reply: FastifyReply, ending: Result) => sendResult(reply, ending, issuerName)

  const start =
    (proves?: (request: FastifyRequest) => Promise<ProvingSession | undefined>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { window, back } = request.query as CallParts<typeof startGoogleSignIn>['query']
      const beginning = { window, ...(back !== undefined && { back }) }
      try {
        const session = await proves?.(request)
        if (proves && !session) return await end(reply, { ...beginning, outcome: 'expired' })
        const callback = new URL(ISSUER_CALLBACK, ownOrigin(request, publicUrl))
        const { url, cookies } = await service.start(
          { ...beginning, ...(session && { proves: session }) },
          callback,
          request.headers.cookie,
        )
        return await reply.header('set-cookie', cookies).redirect(url.href)
      } catch (error) {
        if (error instanceof IssuerUnavailable) return end(reply, { ...beginning, outcome: 'unavailable' })
        logFault(request, error)
        return end(reply.code(500), { ...beginning, outcome: 'failed' })
      }
    }
  const onRequest = [allowOpener, async (request: FastifyRequest) => refuseForeignOrigin(request, publicUrl)]

  app.route({ ...routeOf('startGoogleSignIn', startGoogleSignIn), onRequest, handler: start() })
  app.route({ ...routeOf('startGoogleProof', startGoogleProof), onRequest, handler: start(findSession) })

  app.route({
    ...routeOf('finishGoogleSignIn', finishGoogleSignIn),
    onRequest: allowOpener,
    handler: async (request, reply) => {
      const answer = new URL(request.url, ownOrigin(request, publicUrl))
      const ending = await service.finish(answer, request.headers.cookie, request)
      const { outcome, cookies, reason, said, fault } = ending
      if (reason) request.log.warn({ reason, ...said }, `a ${issuerName} sign-in ${outcome}`)
      if (fault) logFault(request, fault)
      return end(reply.code(fault ? 500 : 200).header('set-cookie', cookies), ending)
    },
  })
}

/** An opener policy would disconnect the popup from the page that waits for it. */
async function allowOpener(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.removeHeader('cross-origin-opener-policy')
  reply.header('content-security-policy', resultPagePolicy)
}

type Deps = {
  publicUrl: string
  issuerName: string
  /** Returns the session of a request's cookie. */
  findSession: (request: FastifyRequest) => Promise<ProvingSession | undefined>
}

type Result = {
  window: string
  outcome: IssuerOutcome
  back?: string | undefined
  proves?: ProvingSession | undefined
}

/**
 * Sends the last page of a popup, or returns to the page from which a sign-in without one began. Only the sign-in pages show why one
 * failed; after a proof that failed, the last page does.
 */
function sendResult(reply: FastifyReply, result: Result, issuerName: string) {
  const { outcome, back, proves } = result
  if (back !== undefined && (!proves || outcome === 'proven'))
    return reply.redirect(proves ? back : `${back}${ISSUER_FRAGMENT}${outcome}`, 303)
  return reply.type('text/html; charset=utf-8').send(resultPage(result, issuerName))
}

/** Logs an internal error. The popup shows it like any other failure, so that it closes. */
function logFault(request: FastifyRequest, fault: unknown): void {
  request.log.error({ err: fault }, 'unexpected error')
}

/**
 * Only pages of the same origin receive the message. An issuer's page with an opener policy disconnects the popup from its opener,
 * and the channel still reaches it.
 */
const SCRIPT = `
const message = JSON.parse(document.getElementById('message').textContent)
if (opener) opener.postMessage(message, location.origin)
try { new BroadcastChannel(message.type).postMessage(message) } catch {}
setTimeout(close)
`

const sentences: { [outcome in IssuerOutcome]: (issuerName: string) => string } = {
  'signed-in': () => 'You are signed in.',
  'second-factor': () => 'The next step is in the window behind this one.',
  cancelled: () => 'The sign-in was cancelled.',
  unavailable: (name) => `${name} cannot be reached at the moment.`,
  closed: () => 'You have no account on this server, and you need an invitation to create one.',
  unverified: (name) => `${name} has not confirmed your address, which has an account here.`,
  taken: (name) => `Your address belongs to another ${name} account here.`,
  'no-address': (name) => `${name} sent no email address.`,
  refused: (name) => `${name} refused this server.`,
  expired: () => 'The sign-in took too long, or began in another browser.',
  failed: () => 'The sign-in failed.',
  proven: () => 'You have confirmed that it is you.',
  'other-account': (name) => `This is another ${name} account than yours.`,
  'not-asked': (name) => `${name} has not asked you to sign in again.`,
}

/** The content security policy of the result page. It allows the page's one script. */
const resultPagePolicy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';')

/** The last page of the popup. It posts the outcome to the page that opened it, and closes, or leads back if it cannot. */
function resultPage({ window, outcome, back, proves }: Result, issuerName: string): string {
  const next = proves ? (back ?? '/') : `/login${ISSUER_FRAGMENT}${outcome}`
  const message: IssuerMessage = { type: ISSUER_MESSAGE, window, outcome }
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Milepost</title></head>
<body>
<p>${escaped(sentences[outcome](issuerName))} You can close this window.</p>
<p><a href="${escaped(next)}">Go on in this window</a></p>
<script type="application/json" id="message">${JSON.stringify(message)}</script>
<script>${SCRIPT}</script>
</body>
</html>`
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
