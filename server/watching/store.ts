import { sql, type Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { WatchLevel } from '#contract/watching.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'

export type WatchRecord = { level: WatchLevel; new_since: Date | null }

export function findWatch(db: Db, userId: string, projectId: string): Promise<WatchRecord | undefined> {
  return db
    .selectFrom('project_watches')
    .select(['level', 'new_since'])
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
}

export async function setLevel(
  trx: Transaction<Schema>,
  { userId, projectId, level }: { userId: string; projectId: string; level: WatchLevel },
): Promise<void> {
  await trx
    .insertInto('project_watches')
    .values({ user_id: userId, project_id: projectId, level })
    .onConflict((conflict) => conflict.columns(['user_id', 'project_id']).doUpdateSet({ level }))
    .execute()
}

/** Records that a person looks at a project. After a pause since `pausedBefore`, what came since the last look is new. */
export async function recordVisit(
  db: Db,
  {
    userId,
    projectId,
    now,
    pausedBefore,
  }: { userId: string; projectId: string; now: Date; pausedBefore: Date },
): Promise<void> {
  await sql`
    insert into project_watches as w (user_id, project_id, seen_at) values (${userId}, ${projectId}, ${now})
    on conflict (user_id, project_id) do update set
      new_since = case when w.seen_at is null or w.seen_at < ${pausedBefore} then w.seen_at else w.new_since end,
      seen_at = greatest(w.seen_at, excluded.seen_at)`.execute(db)
}

/** Another member of a project than the one who did something, with what the sentences about it need. */
export type Listener = {
  id: string
  name: string
  level: WatchLevel
  projectTitle: string
  /** Null: nobody did it. */
  actorName: string | null
}

/** Returns the members of a project except one, ordered by id. Membership does not change while the project is locked. */
export function listListeners(db: Db, projectId: string, actorId: string | null): Promise<Listener[]> {
  return listeners.all(db, { projectId, actorId })
}

type Heard = { projectId: string | null; actorId: string | null }

const listeners = prepared((db, heard: Heard) => listenersPart(db, heard))

/** The statement of `listListeners`, which may be a part of another one; it has no rows without a project. */
export const listenersPart = (db: Db, { projectId, actorId }: Heard) =>
  db
    .selectFrom('live_projects as p')
    .innerJoin(
      sql<{ id: string }>`lateral (
        select p.owner_id as id union
        select c.user_id from collaborators c
        where c.project_id = p.id and c.status = 'accepted' and c.user_id is not null)`.as('m'),
      (join) => join.onTrue(),
    )
    .innerJoin('users as u', 'u.id', 'm.id')
    .leftJoin('project_watches as w', (join) =>
      join.onRef('w.project_id', '=', 'p.id').onRef('w.user_id', '=', 'u.id'),
    )
    .select([
      'u.id',
      'u.name',
      sql<WatchLevel>`coalesce(w.level, 'all')`.as('level'),
      'p.title as projectTitle',
      sql<string | null>`(select name from users where id = ${actorId}::uuid)`.as('actorName'),
    ])
    .where('p.id', '=', sql<string>`${projectId}::uuid`)
    .where(sql<boolean>`u.id is distinct from ${actorId}::uuid`)
    .orderBy('u.id')

/** Records whom an entry mentions, and returns those whom it did not mention before. */
export async function recordMentions(
  trx: Transaction<Schema>,
  entryId: string,
  userIds: string[],
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    insert into entry_mentions (entry_id, user_id)
    select ${entryId}, id from unnest(${userIds}::uuid[]) as mentioned (id) order by id
    on conflict do nothing returning user_id`.execute(trx)
  return rows.map(({ user_id }) => user_id)
}

/** A milestone that is due today or was in the last days, of which nobody was told. */
export type DueMilestone = { id: string; projectId: string; title: string; dueOn: string }

/**
 * Returns milestones that are not reached and due by the day in the time zone of their project's owner, and of which nobody was
 * told. Those that have been due for more than `days` are left alone.
 */
export async function listDue(
  db: Db,
  { now, days, limit }: { now: Date; days: number; limit: number },
): Promise<DueMilestone[]> {
  const { rows } = await sql<DueMilestone>`
    select m.id, m.project_id as "projectId", m.title, m.due_on::text as "dueOn"
    from live_milestones m
    join live_projects p on p.id = m.project_id
    join users u on u.id = p.owner_id
    cross join lateral (
      select (${now}::timestamptz at time zone usable_zone(u.time_zone))::date as today) as local
    where not m.completed and m.due_on between local.today - ${days}::integer and local.today
      and m.due_on between ${now}::date - ${days + 1}::integer and ${now}::date + 1
      and not exists (select from milestone_reminders r where r.milestone_id = m.id and r.due_on = m.due_on)
    order by m.due_on, m.id limit ${limit}`.execute(db)
  return rows
}

/** Records that members are told that a milestone is due; false if they were, or if it is no longer due then. */
export async function recordReminder(
  trx: Transaction<Schema>,
  { id, dueOn }: Pick<DueMilestone, 'id' | 'dueOn'>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into milestone_reminders as r (milestone_id, due_on)
    select id, due_on from live_milestones where id = ${id} and due_on = ${dueOn}::date and not completed
    on conflict (milestone_id) do update set due_on = excluded.due_on where r.due_on <> excluded.due_on`.execute(
    trx,
  )
  return numAffectedRows > 0n
}

/**
 * Records for the followers that they may read an entry for the first time, or that a milestone is reached. Each is news once. The
 * project is locked, and its revision is already that of the change.
 */
export async function insertReaderNews(
  trx: Transaction<Schema>,
  projectId: string,
  news: { entryId: string } | { milestoneId: string },
): Promise<void> {
  await readerNewsInserted.all(trx, { entryId: null, milestoneId: null, ...news, id: uuidv7(), projectId })
}

type ReaderNews = { id: string; projectId: string; entryId: string | null; milestoneId: string | null }

const readerNewsInserted = prepared(
  (_db, v: ReaderNews) => sql`
  insert into reader_news (id, project_id, revision, entry_id, milestone_id)
  select ${v.id}::uuid, id, revision, ${v.entryId}::uuid, ${v.milestoneId}::uuid from live_projects where id = ${v.projectId}
  on conflict do nothing`,
)
