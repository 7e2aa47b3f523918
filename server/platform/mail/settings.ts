import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'
import { type MailAddress, readMailAddress } from './email.ts'

export type MailSettings = { server: SmtpServer; from: MailAddress }

/** The environment variables of mail. */
export const mailVariables = {
  SMTP_URL: z
    .string()
    .transform(readSmtpUrl)
    .refine(
      (server) => server !== null,
      'must be an address like smtp://user:password@mail.example.org:587, with %40 for an @ in the password, %2F for a /, %3A for a : and %25 for a %, and with no option behind it but tls',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .transform(readMailAddress)
    .refine((from) => from !== null, 'must be an address like Milepost <milepost@example.org>')
    .optional(),
}

const variables = z.object(mailVariables)

/** Returns the mail settings of the environment; undefined if none is set. Throws CannotStart. */
export function mailOf({
  SMTP_URL: server,
  MAIL_FROM: from,
}: z.output<typeof variables>): MailSettings | undefined {
  if (server && from) return { server, from }
  if (server) throw new CannotStart('The setting MAIL_FROM must name the sender of what SMTP_URL sends.')
  if (from) throw new CannotStart('The setting SMTP_URL must name the server that sends mail from MAIL_FROM.')
  return undefined
}

/** The mail server of `SMTP_URL`. */
export type SmtpServer = {
  host: string
  port: number
  /** `immediate`: TLS from the first byte. `required`, `offered`: STARTTLS, always or if the server offers it. */
  tls: 'immediate' | 'required' | 'offered' | 'off'
  login: { user: string; password: string } | undefined
}

const BY_STARTTLS = ['required', 'offered', 'off'] as const

/**
 * Parses a URL like smtp://user:password@host:587 or smtps://host. Unless `?tls=` overrides it, smtp uses STARTTLS if
 * offered, and requires it with a password; at port 465 it is smtps. Returns null for any other text.
 */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || !isBare(url)) return null
  const tls = tlsOf(url)
  const user = decoded(url.username)
  const password = decoded(url.password)
  if (tls === null || user === null || password === null || (password !== '' && user === '')) return null
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (tls === 'immediate' ? 465 : 587),
    tls,
    login: user ? { user, password } : undefined,
  }
}

function isBare({ pathname, hash, searchParams }: URL): boolean {
  return (
    (pathname === '' || pathname === '/') && !hash && [...searchParams.keys()].every((key) => key === 'tls')
  )
}

function tlsOf({ protocol, port, password, searchParams }: URL): SmtpServer['tls'] | null {
  const asked = searchParams.get('tls')
  if (protocol === 'smtps:') return asked === null ? 'immediate' : null
  // Programs call this port by either name, and a mail server speaks TLS there from the first byte.
  if (asked === null && port === '465') return 'immediate'
  if (asked === null) return password ? 'required' : 'offered'
  return BY_STARTTLS.find((way) => way === asked) ?? null
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null // an invalid percent escape
  }
}
