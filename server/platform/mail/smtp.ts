import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { createTransport, type NodemailerError } from 'nodemailer'
import { LONGEST_RUN_SECONDS } from '#server/platform/jobs.ts'
import { isBareAddress, isOneLine } from './email.ts'
import { failureOf, Undeliverable } from './failure.ts'
import type { Mail } from './mail.ts'
import type { MailSettings } from './settings.ts'

const SECONDS = 1000
/** The maximum duration of one attempt. The rest of the longest run is for the queries of the job before and after it. */
const LONGEST_ATTEMPT_MS = (LONGEST_RUN_SECONDS - 60) * SECONDS
/** The maximum wait for a response: many mail servers check the content of an email before they accept it. */
const RESPONSE_MS = 120 * SECONDS

/**
 * Returns the name with which to greet a mail server: the host of the public URL or, if that is no whole name, the domain of
 * the sender. The name of the machine, often a container, is one that strict mail servers refuse.
 */
export function greetingOf(publicUrl: string, from: MailSettings['from']): string {
  const { hostname } = new URL(publicUrl)
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address)) return isIP(address) === 6 ? `[IPv6:${address}]` : `[${address}]`
  const isWhole = hostname.replace(/\.$/, '').includes('.')
  return isWhole ? hostname : domainOf(from)
}

const domainOf = ({ address }: MailSettings['from']) =>
  domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || 'localhost'

/** Sends mail through an SMTP server, with a connection for each email. It connects for the first email. */
export function createMail({ server, from }: MailSettings, greeting = domainOf(from)): Mail {
  const { host, port, tls, login } = server
  const transport = createTransport({
    name: greeting,
    host,
    port,
    secure: tls === 'immediate',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(login && { auth: { user: login.user, pass: login.password } }),
    dnsTimeout: 10 * SECONDS,
    connectionTimeout: 10 * SECONDS,
    greetingTimeout: 10 * SECONDS,
    socketTimeout: RESPONSE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = domainOf(from)

  return {
    async send(
      { to, subject, text, html, id, unsubscribe },
      signal = AbortSignal.timeout(LONGEST_ATTEMPT_MS),
    ) {
      if (!isBareAddress(to)) throw new Undeliverable('the recipient is no single address')
      if (!isOneLine(subject)) throw new Undeliverable('the subject is not one line')
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          signal,
          headers: {
            'auto-submitted': 'auto-generated',
            // Exchange ignores the standard header.
            'x-auto-response-suppress': 'OOF, AutoReply',
            ...(unsubscribe !== undefined && {
              'list-unsubscribe': `<${unsubscribe}>`,
              'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
      } catch (error) {
        throw failureOf(error as NodemailerError)
      }
    },
  }
}
