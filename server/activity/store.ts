import { type RawBuilder, sql, type Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { FORMER_MEMBER } from '#contract/account.ts'
import { type ActivityDetails, type ActivityKind, INVITATION_KINDS } from '#contract/activity.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** Edits of one person on one entry within this time are recorded as one. */
const EDITS_MS = 10 * 60_000

/** A row of the activity of a project. */
export type NewActivity = {
  kind: ActivityKind
  projectId: string
  /** The person who did it; null without an account. */
  actorId: string | null
  /** The account of a member who was removed or whose role changed. `subject` is their name. */
  personId?: string | null
  milestoneId?: string
  entryId?: string
  /** The title, name or email of the resource or person concerned, at that time. */
  subject: string
  details?: ActivityDetails
  now: Date
}

/** The activity of a save of an entry, for a part of its statement; `kind` null: none. */
export type EntryActivityValues = {
  activity: string
  kind: ActivityKind | null
  project: string
  writer: string
  details: string
  now: Date
  since: Date
}

/** Like `insertActivity`, as a part of the statement that saves an entry, about the row that its part `entry` returns. */
export const activityPart = (v: EntryActivityValues) => sql<never>`
  insert into activity (id, project_id, kind, actor_id, actor_name, milestone_id, entry_id, subject, details, created_at)
  select ${v.activity}::uuid, ${v.project}::uuid, ${v.kind}::text, ${v.writer}::uuid,
    coalesce((select name from users where id = ${v.writer}::uuid), ''), e.milestone_id, e.id, e.title,
    ${v.details}::jsonb, ${v.now}::timestamptz
  from entry e
  where ${v.kind}::text is not null and ${isNoRepetition({
    kind: sql`${v.kind}::text`,
    details: sql`${v.details}::jsonb`,
    actor: sql`${v.writer}::uuid`,
    entry: sql`e.id`,
    since: sql`${v.since}::timestamptz`,
  })}`

/** Returns the values of `activityPart`. */
export const entryActivity = (
  kind: ActivityKind | null,
  {
    projectId,
    actorId,
    details = {},
    now,
  }: Pick<NewActivity, 'projectId' | 'details' | 'now'> & { actorId: string },
): EntryActivityValues => ({
  activity: uuidv7(),
  kind,
  project: projectId,
  writer: actorId,
  details: JSON.stringify(details),
  now,
  since: new Date(now.getTime() - EDITS_MS),
})

/** Inserts a row. Skips an edit without details if the actor wrote or edited the entry last and recently. */
export async function insertActivity(
  trx: Transaction<Schema>,
  row: NewActivity & { id: string },
): Promise<void> {
  await newRow.all(trx, {
    id: row.id,
    kind: row.kind,
    projectId: row.projectId,
    actorId: row.actorId,
    personId: row.personId ?? null,
    milestoneId: row.milestoneId ?? null,
    entryId: row.entryId ?? null,
    subject: row.subject,
    details: JSON.stringify(row.details ?? {}),
    now: row.now,
    since: new Date(row.now.getTime() - EDITS_MS),
  })
}

type Expressions = { [name in 'kind' | 'details' | 'actor' | 'entry' | 'since']: RawBuilder<unknown> }

/** Whether a row is anything but one more edit without details by the person who wrote or edited the entry last. */
const isNoRepetition = ({ kind, details, actor, entry, since }: Expressions) => sql<boolean>`(
  ${kind} <> 'entry_edited' or ${details} <> '{}' or ${actor} is distinct from (
    select actor_id from activity
    where entry_id = ${entry} and kind in ('entry_written', 'entry_edited') and created_at > ${since}
    order by created_at desc, id desc limit 1))`

type Values = {
  [K in Exclude<keyof NewActivity, 'details' | 'kind'>]-?: NonNullable<NewActivity[K]> | null
} & { id: string; kind: ActivityKind; details: string; since: Date }

const newRow = prepared((db, row: Values) =>
  db
    .insertInto('activity')
    .columns([
      'id',
      'project_id',
      'kind',
      'actor_id',
      'actor_name',
      'person_id',
      'milestone_id',
      'entry_id',
      'subject',
      'details',
      'created_at',
    ])
    .expression(
      sql`
        select ${row.id}::uuid, ${row.projectId}::uuid, ${row.kind}::text, ${row.actorId}::uuid,
          coalesce((select name from users where id = ${row.actorId}::uuid), ''), ${row.personId}::uuid,
          ${row.milestoneId}::uuid, ${row.entryId}::uuid, ${row.subject}::text, ${row.details}::jsonb,
          ${row.now}::timestamptz
        where ${isNoRepetition({
          kind: sql`${row.kind}::text`,
          details: sql`${row.details}::jsonb`,
          actor: sql`${row.actorId}::uuid`,
          entry: sql`${row.entryId}::uuid`,
          since: sql`${row.since}::timestamptz`,
        })}`,
    ),
)

/** Whether the latest membership of a person in a project ended because they left it. */
export async function findLeaving(db: Db, projectId: string, personId: string): Promise<boolean> {
  const { rows } = await sql<{ kind: ActivityKind }>`
    select kind from activity
    where project_id = ${projectId} and person_id = ${personId} and kind in ('member_joined', 'member_left', 'member_removed')
    order by created_at desc, id desc limit 1`.execute(db)
  return rows[0]?.kind === 'member_left'
}

/** The row after which a page begins, in the order of the pages. */
type Position = { at: Date; id: string }

/** Returns a row of this project as a position; undefined if there is none. */
export function findPosition(db: Db, projectId: string, id: string): Promise<Position | undefined> {
  return db
    .selectFrom('activity')
    .select(['created_at as at', 'id'])
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
}

export type ActivityRecord = Awaited<ReturnType<typeof listActivityOf>>[number]

type PageQuery = { before: Position | undefined; withInvitations: boolean; limit: number }

/** Returns the activity of a project, latest first, with the milestones and entries that still exist. */
export function listActivityOf(db: Db, projectId: string, { before, withInvitations, limit }: PageQuery) {
  // The page is cut before anything is joined: without statistics, as after an import, everything was joined.
  const page = db
    .selectFrom('activity')
    .selectAll()
    .where('project_id', '=', projectId)
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${before?.at}::timestamptz, ${before?.id}::uuid)`),
    )
    .$if(!withInvitations, (query) => query.where('kind', 'not in', INVITATION_KINDS))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  return db
    .selectFrom(page.as('a'))
    .leftJoin('users as actor', 'actor.id', 'a.actor_id')
    .leftJoin('live_milestones as m', (join) =>
      join.onRef('m.id', '=', 'a.milestone_id').onRef('m.project_id', '=', 'a.project_id'),
    )
    .leftJoin('live_entries as e', 'e.id', 'a.entry_id')
    .leftJoin('live_milestones as milestone', (join) =>
      join.onRef('milestone.id', '=', 'e.milestone_id').onRef('milestone.project_id', '=', 'a.project_id'),
    )
    .select(['a.id', 'a.kind', 'a.subject', 'a.details', 'a.created_at', 'a.entry_id'])
    .select((q) => [
      'a.actor_id',
      q.fn.coalesce('actor.name', 'a.actor_name').as('actor_name'),
      'm.id as milestone_id',
      'm.title as milestone_title',
      'milestone.id as entry_milestone_id',
    ])
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .execute()
}

/** Removes an email from the records of invitations. */
export async function forgetInvited(trx: Transaction<Schema>, email: string): Promise<void> {
  await sql`
    update activity set subject = ${FORMER_MEMBER}
    where kind = any(${INVITATION_KINDS}::text[]) and lower(subject) = lower(${email})`.execute(trx)
}
