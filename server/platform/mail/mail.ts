import { createTransport, type NodemailerError } from 'nodemailer'
import type { Logger } from 'pino'
import { isBareAddress, isOneLine, Undeliverable } from './email.ts'
import type { MailSettings } from './settings.ts'

export type Email = {
  /** A single bare email address. */
  to: string
  subject: string
  text: string
  html: string
  /** The same for every attempt at one email, so that a mailbox can detect duplicates. */
  id: string
}

/** Sends emails. A permanent failure throws `Undeliverable`; any other error may be temporary. */
export type Mail = { send(email: Email): Promise<void> }

const SECONDS = 1000

/** Sends mail through an SMTP server, with a connection for each email. It connects for the first email. */
export function createMail({ server, from }: MailSettings): Mail {
  const { host, port, tls, login } = server
  const transport = createTransport({
    host,
    port,
    secure: tls === 'immediate',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(login && { auth: { user: login.user, pass: login.password } }),
    dnsTimeout: 10 * SECONDS,
    connectionTimeout: 10 * SECONDS,
    greetingTimeout: 10 * SECONDS,
    socketTimeout: 30 * SECONDS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)

  return {
    async send({ to, subject, text, html, id }) {
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
          headers: { 'auto-submitted': 'auto-generated' },
        })
      } catch (error) {
        throw isFinal(error)
          ? new Undeliverable('the mail server refused the email', { cause: error })
          : error
      }
    },
  }
}

function isFinal(error: unknown): boolean {
  const { code, command, responseCode = 0 } = error as NodemailerError
  return responseCode >= 500 && (command === 'RCPT TO' || code === 'EMESSAGE')
}

/** Why an email was not sent, for the person who configured the mail server. */
export type FailureReason =
  | 'unreachable'
  | 'not_encrypted'
  | 'login_refused'
  | 'sender_refused'
  | 'recipient_refused'
  | 'refused'

const reasons: { [code: string]: FailureReason } = {
  ECONNECTION: 'unreachable',
  ESOCKET: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EDNS: 'unreachable',
  ETLS: 'not_encrypted',
  EREQUIRETLS: 'not_encrypted',
  EAUTH: 'login_refused',
  ENOAUTH: 'login_refused',
}

/** Returns the reason of an error of `send`, without the message of the mail server. */
export function failureReason(error: unknown): FailureReason {
  if (error instanceof Undeliverable && error.cause === undefined) return 'recipient_refused'
  const { code = '', command } = (error instanceof Undeliverable ? error.cause : error) as NodemailerError
  if (command === 'MAIL FROM') return 'sender_refused'
  if (command === 'RCPT TO') return 'recipient_refused'
  return reasons[code] ?? 'refused'
}

/**
 * Sends an email and returns whether the mail server accepted it. A permanent refusal is logged with `name`; any other
 * error is thrown, so that the job is retried.
 */
export async function deliver(
  { mail, log }: { mail: Mail; log: Logger },
  name: string,
  email: Email,
): Promise<boolean> {
  try {
    await mail.send(email)
    return true
  } catch (error) {
    if (!(error instanceof Undeliverable)) throw error
    log.warn({ err: error }, `${name} could not be delivered`)
    return false
  }
}
