import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { InvitationEmails } from './collaborators/emails.ts'
import type { TokenCipher } from './collaborators/token.ts'
import type { Schema } from './database/rows.ts'
import type { Identity } from './identity/identity.ts'
import type { Renderer } from './markdown/renderer.ts'
import type { Links } from './media/links.ts'
import type { Events } from './platform/events/events.ts'
import type { Files } from './platform/files/files.ts'
import type { Quotas } from './quotas/quotas.ts'

/** What the application stands on, made by `main.ts` (or by a test) and given to every feature. */
export type AppDeps = {
  db: Kysely<Schema>
  identity: Identity
  /** AppEvent to and from every process on this database. */
  events: Events
  /** The emails that carry invitations; none where this server sends no mail. */
  invitationEmails?: InvitationEmails | undefined
  /** Encrypts the tokens of invitations for the database. */
  tokenCipher: TokenCipher
  /** Renders the Markdown of entries. */
  renderer: Renderer
  /** How much people may store. */
  quotas: Quotas
  /** Where images lie. */
  files: Files
  /** The addresses of images. */
  links: Links
  log: Logger
  clock: () => Date
}
