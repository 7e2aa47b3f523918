import { type Kysely, sql, type Transaction } from 'kysely'
import type { ActivityDetails } from '#contract/activity.ts'
import type { DeliveredKind } from '#contract/webhooks.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** Inserts a test message that is due now; returns undefined if one is already queued. */
export async function insertTest(
  trx: Transaction<Schema>,
  webhookId: string,
  now: Date,
): Promise<DeliveryRecord | undefined> {
  const { rows } = await sql<DeliveryRecord>`
    insert into webhook_deliveries (webhook_id, next_at, created_at)
    select ${webhookId}, ${now}, ${now} where not exists (
      select from webhook_deliveries where webhook_id = ${webhookId} and activity_id is null and next_at is not null)
    returning id, null as kind, created_at, attempts, tried_at, next_at, delivered_at, outcome`.execute(trx)
  return rows[0]
}

/** Returns the deliveries of a webhook, latest first. */
export function listDeliveriesOf(db: Db, webhookId: string, limit: number) {
  return (
    db
      .selectFrom('webhook_deliveries as d')
      .leftJoin('activity as a', 'a.id', 'd.activity_id')
      .select([
        'd.id',
        'a.kind',
        'd.created_at',
        'd.attempts',
        'd.tried_at',
        'd.next_at',
        'd.delivered_at',
        'd.outcome',
      ])
      .where('d.webhook_id', '=', webhookId)
      // The trigger on `activity` adds no deliveries of the other kinds.
      .$narrowType<{ kind: DeliveredKind | null }>()
      .orderBy('d.created_at', 'desc')
      .orderBy('d.id', 'desc')
      .limit(limit)
      .execute()
  )
}

export type DeliveryRecord = Awaited<ReturnType<typeof listDeliveriesOf>>[number]

/** A due delivery with everything that its message needs. */
export type DueDelivery = {
  id: string
  webhook_id: string
  attempts: number
  url: string
  secret_encrypted: Buffer
  /** Null once it has expired. */
  former_secret_encrypted: Buffer | null
  project_id: string
  /** Null for a test message, like the subject. */
  kind: DeliveredKind | null
  /** Null also if it is the title of an entry or a milestone that readers of the project no longer see. */
  subject: string | null
  details: ActivityDetails
  actor_name: string
  milestone_id: string | null
  entry_id: string | null
  created_at: Date
}

/** A webhook with a due delivery, and the owner of its project. */
export type DueWebhook = { id: string; url: string; owner: string; isFailing: boolean }

/**
 * Returns webhooks with due deliveries except those in `except`, at most `each` of one owner: the working ones first, then the first
 * of each owner.
 */
export async function listDue(
  db: Db,
  { now, except, each, limit }: { now: Date; except: string[]; each: number; limit: number },
): Promise<DueWebhook[]> {
  const { rows } = await sql<DueWebhook>`
    with waiting as (
      select webhook_id, min(next_at) as since from webhook_deliveries
      where next_at <= ${now} and webhook_id <> all(${except}::uuid[]) group by webhook_id),
    ranked as (
      select w.id, w.url, p.owner_id as owner, w.failing_since is not null as "isFailing", since,
        row_number() over (partition by p.owner_id order by w.failing_since is not null, since) as rank
      from waiting join webhooks w on w.id = waiting.webhook_id join projects p on p.id = w.project_id)
    select id, url, owner, "isFailing" from ranked where rank <= ${each}
    order by "isFailing", rank, since limit ${limit}`.execute(db)
  return rows
}

/**
 * The subject of an event `a` that may be sent now to a webhook `w`. Of an entry or a milestone it is the title at this moment: between
 * the event and its delivery, which may be a day, it may have been corrected or withdrawn.
 */
const sentSubject = sql<string | null>`
  case
    when a.kind like 'entry\\_%' then (
      select e.title from live_entries e join live_milestones m on m.id = e.milestone_id
      where e.id = a.entry_id and m.project_id = w.project_id)
    when a.kind like 'milestone\\_%' then (
      select m.title from live_milestones m where m.id = a.milestone_id and m.project_id = w.project_id)
    else a.subject
  end`

/**
 * Takes the first due delivery of each of these webhooks. No other process takes them before `leaseEnd`. Then they are due again,
 * in case this process has ended.
 */
export async function takeDue(
  db: Kysely<Schema>,
  { now, leaseEnd, webhooks }: { now: Date; leaseEnd: Date; webhooks: string[] },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with due as (
      select d.id from unnest(${webhooks}::uuid[]) as waiting (webhook_id) cross join lateral (
        select id from webhook_deliveries where webhook_id = waiting.webhook_id and next_at <= ${now}
        order by created_at, id limit 1 for update skip locked) d),
    taken as (
      update webhook_deliveries d set next_at = ${leaseEnd}, tried_at = ${now}, attempts = d.attempts + 1
      from due where d.id = due.id returning d.id, d.webhook_id, d.activity_id, d.attempts, d.created_at)
    select t.id, t.webhook_id, t.attempts, w.url, w.secret_encrypted,
      case when w.former_secret_until > ${now} then w.former_secret_encrypted end as former_secret_encrypted,
      w.project_id, a.kind, ${sentSubject} as subject, coalesce(a.details, '{}') as details, coalesce(u.name, a.actor_name, '') as actor_name,
      a.milestone_id, a.entry_id, t.created_at
    from taken t join webhooks w on w.id = t.webhook_id left join activity a on a.id = t.activity_id
    left join users u on u.id = a.actor_id`.execute(db)
  return rows
}

/** Records a successful delivery, and that its webhook works. */
export async function saveDelivered(
  trx: Transaction<Schema>,
  { id, webhook_id }: DueDelivery,
  { outcome, now }: { outcome: string; now: Date },
): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ next_at: null, delivered_at: now, outcome })
    .where('id', '=', id)
    .execute()
  await trx
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('id', '=', webhook_id)
    .where('failing_since', 'is not', null)
    .execute()
}

/** Records a failed test message. It is not retried, and does not count as a failure of the webhook. */
export async function saveFailedTest(
  trx: Transaction<Schema>,
  { id }: DueDelivery,
  outcome: string,
): Promise<void> {
  await trx.updateTable('webhook_deliveries').set({ next_at: null, outcome }).where('id', '=', id).execute()
}

/** Records a failed delivery, and returns since when all have failed; undefined if the webhook is disabled. */
export async function saveFailed(
  trx: Transaction<Schema>,
  { id, webhook_id }: DueDelivery,
  { outcome, nextAt, now }: { outcome: string; nextAt: Date | null; now: Date },
): Promise<Date | undefined> {
  const webhook = await trx
    .updateTable('webhooks')
    .set({ failing_since: sql`coalesce(failing_since, ${now})` })
    .where('id', '=', webhook_id)
    .where('disabled_at', 'is', null)
    .returning('failing_since')
    .executeTakeFirst()
  await trx
    .updateTable('webhook_deliveries')
    .set({ next_at: webhook ? nextAt : null, outcome })
    .where('id', '=', id)
    .execute()
  return webhook?.failing_since ?? undefined
}

/** Deletes at most `limit` deliveries that were created before a time, settled or not. */
export async function deleteDeliveries(
  trx: Transaction<Schema>,
  before: Date,
  limit: number,
): Promise<number> {
  // Two selections, because settled and waiting deliveries have an index each.
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_deliveries where id in (
      (select id from webhook_deliveries where next_at is null and created_at < ${before} limit ${limit})
      union all
      (select id from webhook_deliveries where next_at is not null and created_at < ${before} limit ${limit})
      limit ${limit})`.execute(trx)
  return Number(numAffectedRows)
}

/** Counts the failed deliveries of the last days, and the webhooks that were disabled because of failures. */
export async function countFailed(db: Db) {
  type Failed = { waiting: number; givenUp: number; lastTriedAt: Date | null; switchedOff: number }
  const { rows } = await sql<Failed>`
    select count(*) filter (where next_at is not null)::integer as waiting,
      count(id) filter (where next_at is null)::integer as "givenUp",
      coalesce(max(tried_at), max(o.at)) as "lastTriedAt", max(o.number) as "switchedOff"
    from (select count(*)::integer as number, max(disabled_at) as at from webhooks
      where disabled_at is not null and failing_since is not null) o
    left join webhook_deliveries on activity_id is not null and delivered_at is null and attempts > 0 and outcome is not null`.execute(
    db,
  )
  return rows[0]
}
