import { sql, type Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Offer, offers } from '#server/database/offered.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** Deletes at most `atMost` news that no email can contain any more, and returns their number. */
export async function deleteOldNews(trx: Transaction<Schema>, days: number, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from reader_news where id in (
      select id from reader_news where created_at < now() - make_interval(days => ${days})
      limit ${atMost} for update skip locked)`.execute(trx)
  return Number(numAffectedRows)
}

export type ReadersRecord = Record<Offer, boolean> & { followers: number }

export async function findReaders(db: Db, projectId: string): Promise<ReadersRecord | undefined> {
  const { rows } = await sql<ReadersRecord>`
    select ${offers('emails', 'p.id')} as emails, ${offers('reactions', 'p.id')} as reactions,
      ${offers('downloads', 'p.id')} as downloads, (
      select count(*)::integer from followers f
      where f.project_id = p.id and f.confirmed_at is not null and f.link_id is null) as followers
    from live_projects p where p.id = ${projectId}`.execute(db)
  return rows[0]
}

export async function setOffered(
  trx: Transaction<Schema>,
  projectId: string,
  offered: { [what in Offer]?: boolean },
): Promise<void> {
  await trx
    .insertInto('reader_settings')
    .values({ project_id: projectId, ...offered })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(offered))
    .execute()
}

/** A public project that its readers can follow by email. */
export type FollowableProject = { _id: string; title: string }

export async function findFollowable(db: Db, projectId: string): Promise<FollowableProject | undefined> {
  const { rows } = await sql<FollowableProject>`
    select p.id as _id, p.title from public_projects p
    where p.id = ${projectId} and ${offers('emails', 'p.id')}`.execute(db)
  return rows[0]
}

/** Adds a follower who has yet to confirm. Returns their id; undefined if this address follows already. */
export async function insertFollower(
  trx: Transaction<Schema>,
  { projectId, email }: { projectId: string; email: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into followers as f (id, project_id, email) values (${uuidv7()}, ${projectId}, ${email})
    on conflict (project_id, lower(email)) where link_id is null do update set created_at = now() where f.confirmed_at is null
    returning id`.execute(trx)
  return rows[0]?.id
}

/** Adds the person of a share link as a follower who has yet to confirm. Returns their id; undefined if they are one with this email. */
export async function insertFollowerOf(
  trx: Transaction<Schema>,
  { projectId, linkId, email }: { projectId: string; linkId: string; email: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into followers (id, project_id, link_id, email) values (${uuidv7()}, ${projectId}, ${linkId}, ${email})
    on conflict (link_id) do nothing returning id`.execute(trx)
  return rows[0]?.id
}

/** Deletes the follower with a share link, unless they have this email. */
export async function deleteFollowerOf(
  trx: Transaction<Schema>,
  linkId: string,
  unless: string | null,
): Promise<void> {
  await sql`
    delete from followers where link_id = ${linkId} and lower(email) is distinct from lower(${unless}::text)`.execute(
    trx,
  )
}

/** Whether a follower `f` may hear of the project `p`, one that is not in the trash. */
export const mayHear = sql<boolean>`
  case when f.link_id is null
    then exists (select from public_projects open where open.id = p.id) and ${offers('emails', 'p.id')}
    else exists (
      select from share_links l where l.id = f.link_id and (l.expires_at is null or l.expires_at > now())) end`

/** A person to whom a share link belongs, and what their address of it in emails is made from. */
export type OfLink = { linkId: string; tokenHash: Buffer; askedBy: string | null }

export type Follower = {
  email: string
  isConfirmed: boolean
  project: FollowableProject
  /** Undefined for a follower of a public project. */
  link: OfLink | undefined
}

/** Returns a follower who may hear of their project. */
export async function findFollower(db: Db, id: string): Promise<Follower | undefined> {
  const { rows } = await sql<Follower & { linkId: string | null; tokenHash: Buffer; askedBy: string | null }>`
    select f.email, f.confirmed_at is not null as "isConfirmed",
      json_build_object('_id', p.id, 'title', p.title) as project, f.link_id as "linkId", l.token_hash as "tokenHash",
      u.name as "askedBy"
    from followers f join live_projects p on p.id = f.project_id
    left join share_links l on l.id = f.link_id
    left join users u on u.id = l.created_by
    where f.id = ${id} and ${mayHear}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { email, isConfirmed, project, linkId, tokenHash, askedBy } = row
  return { email, isConfirmed, project, link: linkId === null ? undefined : { linkId, tokenHash, askedBy } }
}

/** Confirms that a follower wants the emails, which begin with the news after this moment. */
export async function confirmFollower(db: Db, id: string): Promise<void> {
  await sql`
    update followers f set confirmed_at = now(), told_through = p.revision
    from live_projects p
    where f.id = ${id} and p.id = f.project_id and f.confirmed_at is null and ${mayHear}`.execute(db)
}

export async function deleteFollower(db: Db, id: string): Promise<void> {
  await db.deleteFrom('followers').where('id', '=', id).execute()
}

/** Deletes the followers with these addresses. */
export async function deleteFollowersAt(trx: Transaction<Schema>, emails: readonly string[]): Promise<void> {
  await sql`
    delete from followers where lower(email) in (
      select lower(email) from unnest(${emails}::text[]) as own (email))`.execute(trx)
}

/** Deletes at most `atMost` followers of public projects who have not confirmed for some days, and returns their number. */
export async function deleteUnconfirmed(
  trx: Transaction<Schema>,
  days: number,
  atMost: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from followers where id in (
      select id from followers where confirmed_at is null and link_id is null and created_at < now() - make_interval(days => ${days})
      limit ${atMost} for update skip locked)`.execute(trx)
  return Number(numAffectedRows)
}
