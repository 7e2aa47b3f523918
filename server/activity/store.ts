import { sql, type Transaction } from 'kysely'
import type { ActivityDetails, ActivityKind } from '#contract/activity.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** How long the edits of one person on one entry are one. */
const EDITS_MS = 10 * 60_000

/** Something that happened in a project. */
export type NewActivity = {
  kind: ActivityKind
  projectId: string
  /** Who did it; null for somebody without an account. */
  actorId: string | null
  /** The account that it was done to: a member who was removed or got another role. `subject` is their name. */
  personId?: string | null
  milestoneId?: string
  entryId?: string
  /** The title, name or email of what it happened to, as it is then. */
  subject: string
  details?: ActivityDetails
  now: Date
}

/** Adds a row; an edit without details only where the actor is not the one who wrote or edited the entry last, just before. */
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
        where ${row.kind}::text <> 'entry_edited' or ${row.details}::jsonb <> '{}' or ${row.actorId}::uuid is distinct from (
          select actor_id from activity
          where entry_id = ${row.entryId}::uuid and kind in ('entry_written', 'entry_edited')
            and created_at > ${row.since}::timestamptz
          order by created_at desc, id desc limit 1)`,
    ),
)

/** Where a page begins: after this row, in the order of the pages. */
type Position = { at: Date; id: string }

/** A row of this project as a position; undefined if there is none. */
export function findPosition(db: Db, projectId: string, id: string): Promise<Position | undefined> {
  return db
    .selectFrom('activity')
    .select(['created_at as at', 'id'])
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
}

export type ActivityRecord = Awaited<ReturnType<typeof listActivityOf>>[number]

/** What invitations leave, and those alone see who see invitations: it names emails. */
const OF_INVITATIONS: ActivityKind[] = ['member_invited', 'invitation_withdrawn', 'member_declined']

type PageQuery = { before: Position | undefined; withInvitations: boolean; limit: number }

/** The activity of a project, the latest first, with the milestones and entries that still exist. */
export function listActivityOf(db: Db, projectId: string, { before, withInvitations, limit }: PageQuery) {
  return db
    .selectFrom('activity as a')
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
    .where('a.project_id', '=', projectId)
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(a.created_at, a.id) < (${before?.at}::timestamptz, ${before?.id}::uuid)`),
    )
    .$if(!withInvitations, (query) => query.where('a.kind', 'not in', OF_INVITATIONS))
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute()
}
