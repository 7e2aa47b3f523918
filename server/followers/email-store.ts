import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import { shownByLink } from '#server/database/shown-by-link.ts'
import { mayHear, type OfLink } from './store.ts'

/** News is emailed an hour after it came at the earliest, so that what was published by mistake can be withdrawn. */
const EARLIEST = sql`interval '1 hour'`
/** News older than this is emailed to nobody, and deleted. */
export const NEWS_DAYS = 30
/** An email that could not be sent for so long does not hold back the next ones. */
const GIVEN_UP = sql`interval '7 days'`

/**
 * Gives the news that waits for followers to one email each, at most one a day, and returns the ids of these
 * emails. The news of the next one begins where this one's ends. Any number of servers may do so at once.
 */
export async function takeNews(trx: Transaction<Schema>, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with due as (
      select f.id, f.told_through, p.revision
      from followers f join live_projects p on p.id = f.project_id
      where f.project_id in (
          select n.project_id from reader_news n where n.created_at > now() - make_interval(days => ${NEWS_DAYS}))
        and f.confirmed_at is not null and ${mayHear}
        and (f.emailed_at is null or f.emailed_at <= now() - interval '1 day')
        and exists (
          select from reader_news n
          where n.project_id = f.project_id and n.revision > f.told_through and n.created_at <= now() - ${EARLIEST}
            and n.created_at > now() - make_interval(days => ${NEWS_DAYS}))
        and not exists (
          select from follower_emails e
          where e.follower_id = f.id and e.sent_at is null and e.created_at > now() - ${GIVEN_UP})
      order by f.id limit ${limit} for update of f skip locked),
    told as (
      update followers f set told_through = due.revision, emailed_at = now() from due where f.id = due.id)
    insert into follower_emails (id, follower_id, after, through)
    select gen_random_uuid(), id, told_through, revision from due returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** An entry that was published, or a milestone that was reached. */
export type News = { kind: 'entry' | 'milestone'; _id: string; title: string }

export type FollowerEmail = {
  followerId: string
  email: string
  projectId: string
  title: string
  /** The first of the news. */
  news: News[]
  /** The number of all news. */
  total: number
  /** Undefined for a follower of a public project. */
  link: OfLink | undefined
}

/**
 * Returns an email that was not sent, with the news that its follower may read at this moment: of a public project, or through their share
 * link. Undefined if there is no such follower any more, or they may not hear of the project.
 */
export async function findUnsent(db: Db, id: string, limit: number): Promise<FollowerEmail | undefined> {
  const link = await findLinkOf(db, id)
  const { rows } = await sql<FollowerEmail>`
    ${link ? sql`with ${shownByLink(link.linkId)}` : sql``}
    select f.id as "followerId", f.email, p.id as "projectId", p.title, coalesce(told.news, '[]') as news,
      coalesce(told.total, 0)::integer as total
    from follower_emails e
    join followers f on f.id = e.follower_id
    join public_projects p on p.id = f.project_id
    cross join lateral (
      select json_agg(json_build_object('kind', n.kind, '_id', n.id, 'title', n.title) order by n.place)
          filter (where n.place <= ${limit}) as news, max(n.total) as total
      from (
        select case when n.entry_id is null then 'milestone' else 'entry' end as kind, coalesce(w.id, m.id) as id,
          coalesce(w.title, m.title) as title, row_number() over (order by n.revision, n.id) as place,
          count(*) over () as total
        from reader_news n
        left join live_entries w on w.id = n.entry_id
        join live_milestones m on m.id = coalesce(n.milestone_id, w.milestone_id)
        where n.project_id = p.id and m.project_id = p.id and n.revision > e.after and n.revision <= e.through
          and (n.entry_id is not null or m.completed)) n) told
    where e.id = ${id} and e.sent_at is null and f.confirmed_at is not null and ${mayHear}`.execute(db)
  const [row] = rows
  return row && { ...row, link }
}

async function findLinkOf(db: Db, emailId: string): Promise<OfLink | undefined> {
  const { rows } = await sql<OfLink>`
    select l.id as "linkId", l.token_hash as "tokenHash", null as "askedBy"
    from follower_emails e join followers f on f.id = e.follower_id join share_links l on l.id = f.link_id
    where e.id = ${emailId}`.execute(db)
  return rows[0]
}

/** What became of an email: the mail server accepted it or refused its address for good, or nothing was left to send. */
export type Outcome = 'accepted' | 'refused' | 'nothing left'

/** So many emails in a row are refused by a mailbox that is gone, rather than full. */
const REFUSALS_MAX = 3

/**
 * Records what became of an email. The pause until the next one begins now. A follower whose address was refused several times in a row
 * is deleted with it.
 */
export async function markSent(db: Db, id: string, outcome: Outcome): Promise<void> {
  const refusals = {
    accepted: sql`0`,
    refused: sql`f.refusals + 1`,
    'nothing left': sql`f.refusals`,
  }[outcome]
  const { rows } = await sql<{ id: string }>`
    with sent as (update follower_emails set sent_at = now() where id = ${id} and sent_at is null returning follower_id)
    update followers f set emailed_at = now(), refusals = ${refusals} from sent where f.id = sent.follower_id
    returning f.id`.execute(db)
  for (const follower of rows)
    await sql`delete from followers where id = ${follower.id} and refusals >= ${REFUSALS_MAX}`.execute(db)
}

/** Deletes at most `atMost` records of old emails, and returns their number. */
export async function deleteEmails(trx: Transaction<Schema>, days: number, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from follower_emails where id in (
      select id from follower_emails where created_at < now() - make_interval(days => ${days})
      limit ${atMost} for update skip locked)`.execute(trx)
  return Number(numAffectedRows)
}
