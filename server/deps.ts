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
import type { Disk } from './platform/disk.ts'
import type { Events } from './platform/events/events.ts'
import type { Mail } from './platform/mail/mail.ts'
import type { Files } from './platform/storage/files.ts'
import type { TokenCipher } from './platform/token-cipher.ts'
import type { Painter } from './public/picture/pictures.ts'
import type { Quotas } from './quotas/quotas.ts'

/** The dependencies of the application, created by `serve.ts` (or by a test) and passed to every feature. */
export type AppDeps = {
  db: Kysely<Schema>
  identity: Identity
  /** Publishes events to all processes on this database, and subscribes to them. */
  events: Events
  /** Whether this server sends mail, so that people can verify their emails. */
  sendsMail: boolean
  /** Sends an email immediately, while the requester waits; absent if the server sends no mail. */
  mail?: Mail | undefined
  /** The queues to which services add emails; undefined if the server sends no mail. */
  emailQueues: EmailQueues | undefined
  /** The announcement and the terms. */
  texts: Texts
  /** Who may register. */
  registration: Registration
  /** Encrypts invitation tokens for the database. */
  tokenCipher: TokenCipher
  /** Renders the Markdown of entries. */
  renderer: Renderer
  /** Limits the storage of people. */
  quotas: Quotas
  /** The store of files and images. */
  files: Files
  /** Inspects uploaded files. */
  inspector: Inspector
  /** Paints the share pictures. */
  painter: Painter
  /** The disk of this server. */
  disk: Disk
  /** The limits of files. */
  fileSettings: FileSettings
  /** Whether webhooks may have URLs in private networks. */
  privateWebhooks: boolean
  /** Whether this server sends to webhooks. */
  deliversToWebhooks: boolean
  /** The number of days for which deletions can be restored. */
  trashDays: number
  /** The URLs of files and images. */
  links: Links
  log: Logger
  clock: () => Date
}
