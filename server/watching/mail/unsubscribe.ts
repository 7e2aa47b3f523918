import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { id } from '#contract/wire.ts'
import type { Db } from '#server/database/rows.ts'
import type { Links } from '#server/files/links.ts'
import { type EmailKind, stopEmails } from './store.ts'

const signedText = (userId: string, kind: EmailKind) => `unsubscribe ${kind} ${userId}`

/** Returns the path at which a person stops the emails of one kind, without signing in. */
export const pathOfUnsubscribing = (links: Pick<Links, 'sign'>, userId: string, kind: EmailKind): string =>
  `/unsubscribe/${kind}/${userId}/${links.sign(signedText(userId, kind))}`

const params = z.object({ kind: z.enum(['daily', 'mention']), userId: id, proof: z.string() })

const what: { [kind in EmailKind]: string } = {
  daily: 'the daily email with the news of your projects',
  mention: 'the emails when somebody mentions you',
}

/**
 * Mounts the page that stops emails. Reading it changes nothing, because mail programs and scanners open links; its button, and the
 * one of mail programs (RFC 8058), send a form.
 */
export function unsubscribeRoutes(api: FastifyInstance, { db, links }: { db: Db; links: Links }): void {
  const url = '/unsubscribe/:kind/:userId/:proof'
  const schema = { hide: true }
  const kindIn = (asked: unknown) => {
    const { data } = params.safeParse(asked)
    return data && links.isSigned(signedText(data.userId, data.kind), data.proof) ? data : undefined
  }
  void api.register(async (scope) => {
    // What the form says does not matter.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, _body, done) => done(null, null),
    )
    scope.get(url, { schema }, async (request, reply) => {
      const asked = kindIn(request.params)
      if (!asked) return sendPage(reply, 404, NOT_VALID)
      return sendPage(reply, 200, {
        title: 'Stop these emails?',
        text: `You will no longer get ${what[asked.kind]}. You can turn them on again in your settings.`,
        button: 'Stop these emails',
      })
    })
    scope.post(url, { schema }, async (request, reply) => {
      const asked = kindIn(request.params)
      if (!asked || !(await stopEmails(db, asked.userId, asked.kind))) return sendPage(reply, 404, NOT_VALID)
      return sendPage(reply, 200, {
        title: 'The emails are stopped',
        text: `You no longer get ${what[asked.kind]}. You can turn them on again in your settings.`,
      })
    })
  })
}

const FORM_BYTES_MAX = 10_000

type PageText = { title: string; text: string; button?: string }

const NOT_VALID: PageText = {
  title: 'This link does not work',
  text: 'It may be incomplete. Your settings have the emails that you get.',
}

const STYLE =
  ':root{color-scheme:light dark;font:1.125rem/1.6 system-ui,sans-serif}' +
  'body{max-width:32rem;margin:15vh auto;padding:0 1.5rem}h1{font-size:1.5rem;line-height:1.25}' +
  'button{font:inherit;font-weight:600;min-height:2.75rem;padding:0 1.25rem;border:0;border-radius:.375rem;background:#9a4415;color:#fff}' +
  'button:focus-visible,a:focus-visible{outline:3px solid;outline-offset:2px}a{color:inherit}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

function sendPage(reply: FastifyReply, status: number, { title, text, button }: PageText) {
  const form = button === undefined ? '' : `<form method="post"><button>${button}</button></form>`
  return reply
    .code(status)
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Milepost</title>
<style>${STYLE}</style>
<main>
<h1>${title}</h1>
<p>${text}</p>
${form}
<p><a href="/settings">Settings</a></p>
</main>
</html>
`)
}
