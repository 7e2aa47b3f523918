import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'
import { type MailAddress, readMailAddress } from './address.ts'
import { readSmtpUrl, type SmtpServer } from './smtp-url.ts'

export type MailSettings = { server: SmtpServer; from: MailAddress }

/** The variables by which an operator lets this server send mail. */
export const mailVariables = {
  SMTP_URL: z
    .string()
    .transform(readSmtpUrl)
    .refine((server) => server !== null, 'must be an address like smtp://user:password@mail.example.org:587')
    .optional(),
  MAIL_FROM: z
    .string()
    .transform(readMailAddress)
    .refine((from) => from !== null, 'must be an address like Milepost <milepost@example.org>')
    .optional(),
}

const variables = z.object(mailVariables)

/** The mail of the environment; undefined where nothing is set. Throws CannotStart. */
export function mailOf({
  SMTP_URL: server,
  MAIL_FROM: from,
}: z.output<typeof variables>): MailSettings | undefined {
  if (server && from) return { server, from }
  if (server) throw new CannotStart('The setting MAIL_FROM must name the sender of what SMTP_URL sends.')
  if (from) throw new CannotStart('The setting SMTP_URL must name the server that sends mail from MAIL_FROM.')
  return undefined
}
