import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { AccessTokenEmails } from './access-tokens/emails.ts'
import type { LeavingEmails } from './account/leaving-emails.ts'
import type { ApprovalEmails } from './administration/emails.ts'
import type { InvitationEmails } from './collaborators/emails.ts'
import type { Schema } from './database/rows.ts'
import type { Links } from './files/links.ts'
import type { FollowerEmails } from './followers/emails.ts'
import type { Events } from './platform/events/events.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Mail } from './platform/mail/mail.ts'
import type { TokenCipher } from './platform/token-cipher.ts'
import type { NewsEmails } from './watching/mail/emails.ts'

/** What features open their queues of emails with. */
export type EmailDeps = {
  db: Kysely<Schema>
  mail: Mail
  jobs: Jobs
  publicUrl: string
  tokenCipher: TokenCipher
  links: Pick<Links, 'sign'>
  log: Logger
  clock: () => Date
  events?: Pick<Events, 'publish'> | undefined
}

/**
 * The queues to which services add emails, each opened by its feature. Only servers that send mail have them. The identity
 * provider opens its own. The name of each queue is also in `JobQueue` (contract/administration.ts), and its label in
 * web/administration/server-facts.tsx.
 */
export type EmailQueues = {
  invitations: InvitationEmails
  leaving: LeavingEmails
  accessTokens: AccessTokenEmails
  serverInvitations: InvitationEmails
  approvals: ApprovalEmails
  news: NewsEmails
  followers: FollowerEmails
}
