import type { Kysely, Transaction } from 'kysely'
import type { AccessTokenTables } from './rows/access-tokens.ts'
import type { AccountTables } from './rows/account.ts'
import type { ActivityTables } from './rows/activity.ts'
import type { AddressTables } from './rows/addresses.ts'
import type { AdministrationTables } from './rows/administration.ts'
import type { CalendarTables } from './rows/calendar.ts'
import type { CollaboratorTables } from './rows/collaborators.ts'
import type { DraftTables } from './rows/drafts.ts'
import type { EntryTables } from './rows/entries.ts'
import type { FileTables } from './rows/files.ts'
import type { FollowerTables } from './rows/followers.ts'
import type { HistoryTables } from './rows/history.ts'
import type { IdentityTables } from './rows/identity.ts'
import type { ImportTables } from './rows/import.ts'
import type { MilestoneTables } from './rows/milestones.ts'
import type { NotificationTables } from './rows/notifications.ts'
import type { ProfileTables } from './rows/profiles.ts'
import type { ProjectTables } from './rows/projects.ts'
import type { QuotaTables } from './rows/quotas.ts'
import type { ReactionTables } from './rows/reactions.ts'
import type { ShareTables } from './rows/shares.ts'
import type { TrashTables } from './rows/trash.ts'
import type { WatchingTables } from './rows/watching.ts'
import type { WebhookTables } from './rows/webhooks.ts'

/** The tables and views as kysely sees them. The identity provider has its own, in the schema `identity`. */
export type Schema = AccessTokenTables &
  AccountTables &
  ActivityTables &
  AddressTables &
  AdministrationTables &
  CalendarTables &
  CollaboratorTables &
  DraftTables &
  EntryTables &
  FileTables &
  FollowerTables &
  HistoryTables &
  IdentityTables &
  ImportTables &
  MilestoneTables &
  NotificationTables &
  ProfileTables &
  ProjectTables &
  QuotaTables &
  ReactionTables &
  ShareTables &
  TrashTables &
  WatchingTables &
  WebhookTables

/** A database, or a transaction on it. */
export type Db = Kysely<Schema> | Transaction<Schema>
