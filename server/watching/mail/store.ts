import { sql, type Transaction } from 'kysely'
import type { NewsKind } from '#contract/notifications.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { isOfMember, isSeen } from '#server/notifications/notify.ts'

export type EmailKind = 'daily' | 'mention'

type Search = { now: Date; limit: number }

/** News older than this is sent to nobody: a server that begins to send mail does not send what everybody has forgotten. */
const oldest = (now: Date) => new Date(now.getTime() - 7 * 24 * 60 * 60_000)

/** Emails about mentions to one person a day; what is beyond waits. */
const MENTIONS_A_DAY = 20

/**
 * Returns people for whom news waits from before the last time that it was their hour in their time zone. Nobody gets two emails within
 * twelve hours, whatever happens to the clock, their hour or their zone.
 */
export async function listDaily(db: Db, { now, limit }: Search): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id
    from users u
    cross join lateral (select usable_zone(u.time_zone) as name) zone
    cross join lateral (select ${now}::timestamptz at time zone zone.name as now) local
    cross join lateral (
      select ((local.now - make_interval(hours => u.news_hour))::date + make_interval(hours => u.news_hour))
        at time zone zone.name as at) hour
    where u.id in (
      select user_id from notifications where mail = 'daily' and not is_read and opened_at > ${oldest(now)})
      and exists (
        select from notifications n
        where n.user_id = u.id and n.mail = 'daily' and not n.is_read and n.opened_at > ${oldest(now)}
          and n.opened_at < hour.at)
      and not exists (
        select from news_emails e
        where e.user_id = u.id and e.kind = 'daily' and e.created_at <= ${now}
          and e.created_at > ${now}::timestamptz - interval '12 hours')
    order by u.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns people who are waiting to be told of mentions at once. */
export async function listMentioned(db: Db, { now, limit }: Search): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct n.user_id as id from notifications n
    where n.mail = 'mention' and not n.is_read and n.opened_at > ${oldest(now)}
      and ${MENTIONS_A_DAY} > (
        select count(*) from news_emails e
        where e.user_id = n.user_id and e.kind = 'mention' and e.created_at > ${now}::timestamptz - interval '1 day')
    order by 1 limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Gives the news that waits for a person to an email, so that each belongs to one email alone. Returns false if there is none left, or if
 * another server is doing the same.
 */
export async function takeNews(
  trx: Transaction<Schema>,
  { id, userId, kind, now }: { id: string; userId: string; kind: EmailKind; now: Date },
): Promise<boolean> {
  const { rows: locks } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`milepost news ${userId}`}, 0)) as "isLocked"`.execute(
    trx,
  )
  if (!locks[0]?.isLocked) return false
  const { numAffectedRows = 0n } = await sql`
    with taken as (
      update notifications set mail = null, email_id = ${id}
      where user_id = ${userId} and mail = ${kind} and not is_read and opened_at > ${oldest(now)}
      returning id)
    insert into news_emails (id, user_id, kind, created_at)
    select ${id}, ${userId}, ${kind}, ${now} where exists (select from taken)`.execute(trx)
  return numAffectedRows > 0n
}

export type NewsEmail = {
  userId: string
  kind: EmailKind
  email: string
  news: { kind: NewsKind; message: string; count: number; data: { [name: string]: string } }[]
}

/** Whether the person of an email is still a member of the project of a notification, and hears such news of it. */
const mayHear = sql<boolean>`
  ${isOfMember} and coalesce((
    select w.level = 'all' or (w.level = 'mentions' and n.kind = 'mention') from project_watches w
    where w.project_id = (n.data ->> 'projectId')::uuid and w.user_id = n.user_id), true)`

/**
 * Returns an email that was not sent, with the news that its person may hear at this moment; undefined if they no longer want it, or may
 * not use the server.
 */
export async function findUnsent(db: Db, id: string, limit: number): Promise<NewsEmail | undefined> {
  const { rows } = await sql<NewsEmail>`
    select u.id as "userId", e.kind, u.email, coalesce((
      select json_agg(json_build_object('kind', kind, 'message', message, 'count', count, 'data', data) order by opened_at, id)
      from (
        select * from notifications n
        where n.email_id = e.id and not n.is_read and ${mayHear} and ${isSeen}
        order by n.opened_at, n.id limit ${limit}) n), '[]') as news
    from news_emails e join users u on u.id = e.user_id
    where e.id = ${id} and e.sent_at is null and u.email_verified
      and u.suspended_at is null and u.awaiting_since is null and u.leaving_since is null
      and case e.kind when 'daily' then u.news_hour is not null else u.mails_mentions end`.execute(db)
  return rows[0]
}

export async function markSent(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('news_emails').set({ sent_at: now }).where('id', '=', id).execute()
}

/** Deletes at most `atMost` emails from before a date, and returns their number. */
export async function deleteEmails(trx: Transaction<Schema>, before: Date, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from news_emails where id in (
      select id from news_emails where created_at < ${before} limit ${atMost} for update skip locked)`.execute(
    trx,
  )
  return Number(numAffectedRows)
}

/** Stops the emails of one kind to a person, with what waits for one. Returns whether there is such a person. */
export async function stopEmails(db: Db, userId: string, kind: EmailKind): Promise<boolean> {
  const change = kind === 'daily' ? sql`news_hour = null` : sql`mails_mentions = false`
  const { numAffectedRows = 0n } = await sql`update users set ${change} where id = ${userId}`.execute(db)
  await sql`update notifications set mail = null where user_id = ${userId} and mail = ${kind}`.execute(db)
  return numAffectedRows > 0n
}
