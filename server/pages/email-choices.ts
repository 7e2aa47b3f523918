import type { EmailChoice } from '#contract/rendering.ts'
import type { PageMounting } from './sources.ts'

const BODY_BYTES_MAX = 4_000

/** The parameters of such a link. */
export type EmailLink = { id: string; proof: string; kind?: string }

/**
 * Mounts a page on which people decide about emails by the link of one, without an account and without scripts. Reading it changes
 * nothing, because mail programs and scanners open links; its button, and the one of mail programs (RFC 8058), send a form. `choose`
 * returns null for a link that is not valid.
 */
export function emailChoiceRoutes(
  { scope, sendPrivate }: PageMounting,
  path: string,
  choose: (link: EmailLink, isPressed: boolean) => Promise<EmailChoice | null>,
): void {
  scope.register(async (forms) => {
    // What the form says does not matter, nor how a mail program writes it.
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, _body, done) => done(null, null),
    )
    for (const method of ['GET', 'POST'] as const)
      forms.route<{ Params: EmailLink }>({
        method,
        url: path,
        config: method === 'POST' ? { takesForm: true } : {},
        handler: async (request, reply) =>
          sendPrivate(request, reply, {
            kind: 'email choice',
            choice: (await choose(request.params, method === 'POST')) ?? { step: 'not valid' },
          }),
      })
  })
}
