import type { Generated } from 'kysely'
import type { Created, Nullable, Remembering } from './columns.ts'

/** A URL to which the events of a project are posted. */
export type WebhookRow = Remembering & {
  id: string
  project_id: string
  /** The account that created it, which may be deleted; null if it was created before this column was added. */
  created_by: Nullable<string>
  url: string
  secret_encrypted: Buffer
  /** Until then, deliveries are also signed with the former secret. */
  former_secret_encrypted: Nullable<Buffer>
  former_secret_until: Nullable<Date>
  /** When deliveries began to fail. */
  failing_since: Nullable<Date>
  disabled_at: Nullable<Date>
  created_at: Created
}

/** An event for a webhook, added by a trigger. `next_at` is its next attempt; null once it was delivered or given up. */
export type WebhookDeliveryRow = {
  id: Generated<string>
  webhook_id: string
  /** Null for a test message. */
  activity_id: Nullable<string>
  attempts: Generated<number>
  next_at: Nullable<Date>
  tried_at: Nullable<Date>
  delivered_at: Nullable<Date>
  outcome: Nullable<string>
  created_at: Created
}

export type WebhookTables = {
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
}
