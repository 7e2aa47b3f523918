import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

const columns = ['id', 'url', 'failing_since', 'disabled_at', 'former_secret_until', 'created_at'] as const

export type WebhookRecord = NonNullable<Awaited<ReturnType<typeof findWebhook>>>

type WebhookRef = { projectId: string; webhookId: string }

/** Returns the webhooks of a project, oldest first. */
export function listWebhooksOf(db: Db, projectId: string) {
  return db
    .selectFrom('webhooks')
    .select(columns)
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findWebhook(db: Db, { projectId, webhookId }: WebhookRef) {
  return db
    .selectFrom('webhooks')
    .select(columns)
    .where('id', '=', webhookId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
}

/** Returns a webhook that this account has created, with what it remembers. */
export function findWebhookOfMaker(db: Db, { projectId, webhookId }: WebhookRef, makerId: string) {
  return db
    .selectFrom('webhooks')
    .select(columns)
    .select('changes')
    .where('id', '=', webhookId)
    .where('project_id', '=', projectId)
    .where('created_by', '=', makerId)
    .executeTakeFirst()
}

type Values = {
  id: string
  projectId: string
  url: string
  secret: Buffer
  createdBy: string
  changes: string[]
  now: Date
}

export function insertWebhook(
  trx: Transaction<Schema>,
  { id, projectId, url, secret, createdBy, changes, now }: Values,
): Promise<WebhookRecord | undefined> {
  const row = { id, project_id: projectId, url, secret_encrypted: secret, created_at: now }
  return trx
    .insertInto('webhooks')
    .values({ ...row, created_by: createdBy, changes })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function deleteWebhookRow(trx: Transaction<Schema>, ref: WebhookRef): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('webhooks')
    .where('id', '=', ref.webhookId)
    .where('project_id', '=', ref.projectId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Sets the secret of a webhook. The previous one remains as the former secret until the given time. */
export function replaceSecret(
  trx: Transaction<Schema>,
  { projectId, webhookId }: WebhookRef,
  { secret, formerUntil }: { secret: Buffer; formerUntil: Date },
): Promise<WebhookRecord | undefined> {
  return trx
    .updateTable('webhooks')
    .set((q) => ({
      former_secret_encrypted: q.ref('secret_encrypted'),
      former_secret_until: formerUntil,
      secret_encrypted: secret,
    }))
    .where('id', '=', webhookId)
    .where('project_id', '=', projectId)
    .returning(columns)
    .executeTakeFirst()
}

/** Enables a webhook and resets its failures. */
export async function enableWebhook(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ disabled_at: null, failing_since: null })
    .where('id', '=', id)
    .where('disabled_at', 'is not', null)
    .execute()
}

/** Disables a webhook, and gives up its pending deliveries. Returns whether it was enabled. */
export async function disableWebhook(trx: Transaction<Schema>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhooks')
    .set({ disabled_at: now })
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  await trx
    .updateTable('webhook_deliveries')
    .set({ next_at: null, outcome: sql`coalesce(outcome, 'The webhook was switched off')` })
    .where('webhook_id', '=', id)
    .where('next_at', 'is not', null)
    .execute()
  return numUpdatedRows > 0n
}

/** Returns the owner and admins of a project, and its title; nobody for a project in the trash. */
export async function listManagers(trx: Transaction<Schema>, projectId: string) {
  const { rows } = await sql<{ id: string; title: string }>`
    select u.id, p.title from live_projects p
    join users u on u.id = p.owner_id or exists (
      select from collaborators c
      where c.project_id = p.id and c.user_id = u.id and c.status = 'accepted' and c.role = 'admin')
    where p.id = ${projectId}`.execute(trx)
  return rows
}
