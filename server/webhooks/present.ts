import type { ActivityKind } from '#contract/activity.ts'
import type { Webhook, WebhookDelivery } from '#contract/webhooks.ts'
import type { DeliveryRecord, WebhookRecord } from './store.ts'

export function presentWebhook(
  { id, url, failing_since, disabled_at, former_secret_until: formerUntil, created_at }: WebhookRecord,
  now: Date,
): Webhook {
  return {
    _id: id,
    url,
    state: disabled_at !== null ? 'off' : failing_since !== null ? 'failing' : 'on',
    failingSince: failing_since?.toISOString() ?? null,
    formerSecretUntil: formerUntil !== null && formerUntil > now ? formerUntil.toISOString() : null,
    createdAt: created_at.toISOString(),
  }
}

export function presentDelivery(row: DeliveryRecord): WebhookDelivery {
  return {
    _id: row.id,
    type: typeOf(row.kind),
    state: row.delivered_at !== null ? 'delivered' : row.next_at !== null ? 'waiting' : 'failed',
    createdAt: row.created_at.toISOString(),
    attempts: row.attempts,
    triedAt: row.tried_at?.toISOString() ?? null,
    outcome: row.outcome,
  }
}

/** The type of an event, hierarchical as the specification Standard Webhooks asks for: `entry.written`; without activity, that of a test. */
export const typeOf = (kind: ActivityKind | null): string => kind?.replace('_', '.') ?? 'webhook.test'
