import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { openAccessTokenEmails } from './access-tokens/emails.ts'
import { openLeavingEmails } from './account/leaving-emails.ts'
import { openApprovalEmails, openServerInvitationEmails } from './administration/emails.ts'
import { openInvitationEmails } from './collaborators/emails.ts'
import type { Schema } from './database/rows.ts'
import type { Events } from './platform/events/events.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Mail } from './platform/mail/mail.ts'
import type { TokenCipher } from './platform/token-cipher.ts'

type Deps = {
  db: Kysely<Schema>
  mail: Mail
  jobs: Jobs
  publicUrl: string
  tokenCipher: TokenCipher
  log: Logger
  clock: () => Date
  events?: Pick<Events, 'publish'> | undefined
}

/** The queues to which services add emails. */
export type EmailQueues = Awaited<ReturnType<typeof openEmailQueues>>

/**
 * Opens the email queues of all features except the identity provider, which opens its own. Only servers that send mail have them.
 * The name of each queue is also in `JobQueue` (contract/administration.ts), and its label in web/administration/server-facts.tsx.
 */
export async function openEmailQueues(deps: Deps) {
  return {
    invitations: await openInvitationEmails(deps),
    leaving: await openLeavingEmails(deps),
    accessTokens: await openAccessTokenEmails(deps),
    serverInvitations: await openServerInvitationEmails(deps),
    approvals: await openApprovalEmails(deps),
  }
}
