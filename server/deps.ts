import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Registration } from './administration/registration.ts'
import type { Texts } from './administration/texts.ts'
import type { Schema } from './database/rows.ts'
import type { EmailQueues } from './email-queues.ts'
import type { Inspector } from './files/inspection/inspect.ts'
import type { Links } from './files/links.ts'
import type { FileSettings } from './files/settings.ts'
import type { Identity } from './identity/identity.ts'
import type { Renderer } from './markdown/renderer.ts'
import type { Events } from './platform/events/events.ts'
import type { Files } from './platform/files/files.ts'
import type { Idempotency } from './platform/idempotency/idempotency.ts'
import type { Mail } from './platform/mail/mail.ts'
import type { TokenCipher } from './platform/token-cipher.ts'
import type { Quotas } from './quotas/quotas.ts'
import type { Painter } from './world/picture/pictures.ts'

/** The dependencies of the application, created by `serve.ts` (or by a test) and passed to every feature. */
export type AppDeps = {
  db: Kysely<Schema>
  identity: Identity
  /** Publishes events to every process on this database, and subscribes to them. */
  events: Events
  /** Whether this server sends mail, and so whether people can verify their emails. */
  sendsMail: boolean
  /** Sends an email while somebody waits; absent if the server sends no mail. */
  mail?: Mail | undefined
  /** Where services add emails; undefined if the server sends no mail. */
  emailQueues: EmailQueues | undefined
  /** What administrators tell people. */
  texts: Texts
  /** Who may make an account. */
  registration: Registration
  /** Encrypts the tokens of invitations for the database. */
  tokenCipher: TokenCipher
  /** Renders the Markdown of entries. */
  renderer: Renderer
  /** How much people may store. */
  quotas: Quotas
  /** The store of files and images. */
  files: Files
  /** Finds out what uploaded files are. */
  inspector: Inspector
  /** Paints the share pictures. */
  painter: Painter
  /** How large files may be. */
  fileSettings: FileSettings
  /** Whether webhooks may be URLs of private networks. */
  privateWebhooks: boolean
  /** How many days what was deleted can be restored. */
  trashDays: number
  /** The URLs of files and images. */
  links: Links
  log: Logger
  clock: () => Date
}

/** The dependencies of a service that creates something, with the key of the call that asks for it. */
export type CreatingDeps = AppDeps & { idempotency: Idempotency | undefined }
