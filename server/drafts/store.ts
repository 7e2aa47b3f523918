import { type Insertable, sql, type Transaction } from 'kysely'
import type { Role } from '#contract/permissions.ts'
import { prepared } from '#server/database/prepared.ts'
import type { EntryDraftRow } from '#server/database/rows/drafts.ts'
import type { Db, Schema } from '#server/database/rows.ts'

const columns = [
  'id',
  'entry_id',
  'milestone_id',
  'title',
  'content',
  'tags',
  'happened_at',
  'happened_on',
  'happened_zone',
  'cover_file_id',
  'cover_choice',
  'base_version',
  'version',
  'updated_at',
] as const

/** The number of characters of the content in lists, enough to count some pictures. */
const BEGINNING = 3_000

export type DraftRecord = NonNullable<Awaited<ReturnType<typeof findDraft>>>
export type ListedRecord = Awaited<ReturnType<typeof listDraftsOf>>[number]

/** Returns the drafts of a person, newest first, each with the beginning of its content. */
export function listDraftsOf(db: Db, writerId: string, entryId: string | undefined) {
  return db
    .selectFrom('entry_drafts')
    .select(['id', 'entry_id', 'milestone_id', 'title', 'version', 'updated_at'])
    .select(sql<string>`left(content, ${sql.lit(BEGINNING)})`.as('content'))
    .where('writer_id', '=', writerId)
    .$if(entryId !== undefined, (query) => query.where('entry_id', '=', entryId ?? null))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Returns a draft of a person, by its id or its entry. */
export function findDraft(db: Db, writerId: string, by: { id: string } | { entry_id: string }) {
  return db
    .selectFrom('entry_drafts')
    .select(columns)
    .where('writer_id', '=', writerId)
    .where((q) => q.and(by))
    .executeTakeFirst()
}

/** Locks a draft of any writer, and returns what an update needs. */
export const lockDraft = (trx: Transaction<Schema>, id: string) => locked.first(trx, { id })

const locked = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('entry_drafts')
    .select(['writer_id', 'version', 'entry_id', 'milestone_id'])
    .where('id', '=', id)
    .forUpdate(),
)

/**
 * Locks a draft of this person that the transaction will delete, before it locks files, to avoid deadlocks (a save locks it with the
 * access). Returns the files that the draft uses, which must be locked together with all others; none if there is no such draft.
 */
export async function lockOwnDraft(trx: Transaction<Schema>, writer: string, id: string): Promise<string[]> {
  return (await lockedOwn.first(trx, { id, writer }))?.files ?? []
}

const lockedOwn = prepared((db, { id, writer }: { id: string; writer: string }) =>
  db.selectNoFrom(sql<string[]>`lock_draft(${id}::uuid, ${writer}::uuid)`.as('files')),
)

type DraftValues = Omit<Insertable<EntryDraftRow>, 'created_at' | 'updated_at'> & { now: Date }

/** Inserts a draft, unless its writer already has `max`. Returns its version; undefined if it was not inserted. */
export async function insertDraft(
  trx: Transaction<Schema>,
  { now, ...draft }: DraftValues,
  max: number,
): Promise<number | 'too many' | 'taken'> {
  const { count } = await trx
    .selectFrom('entry_drafts')
    .select((q) => q.fn.countAll<number>().as('count'))
    .where('writer_id', '=', draft.writer_id)
    .executeTakeFirstOrThrow()
  if (count >= max) return 'too many'
  const row = await trx
    .insertInto('entry_drafts')
    .values({ ...draft, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst()
  return row?.version ?? 'taken'
}

/** Replaces a draft, and returns its new version. */
export async function replaceDraft(
  trx: Transaction<Schema>,
  { id, writer_id, now, ...draft }: Omit<DraftValues, 'version'>,
): Promise<number> {
  const { version } = await trx
    .updateTable('entry_drafts')
    .set({ ...draft, version: sql`version + 1`, updated_at: now })
    .where('id', '=', id)
    .where('writer_id', '=', writer_id)
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

/** The part of the statement that saves an entry, which deletes the writer's draft of it. */
export const endingPart = (v: { draft: string | null; writer: string }) => sql<never>`
  delete from entry_drafts where id = ${v.draft}::uuid and writer_id = ${v.writer}::uuid`

/** Deletes a draft of this person; returns false if there is none. */
export async function deleteDraft(db: Db, writerId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('entry_drafts')
    .where('id', '=', id)
    .where('writer_id', '=', writerId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Returns the entries of drafts whose state lets the drafts' writer see them. */
export async function listEntriesOfDrafts(db: Db, writerId: string, ids: string[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('entries_and_drafts')
    .select(['id', 'title', 'milestone_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(sql<boolean>`(state = 'published' or author_id = ${writerId}::uuid)`)
    .execute()
}

/** A milestone that a person may view, and their role in its project. */
export type MilestoneWithRole = {
  milestoneId: string
  milestoneTitle: string
  projectId: string
  projectTitle: string
  role: Role | null
}

/** Returns those of the given milestones that a person may view. */
export async function listMilestonesWithRole(
  db: Db,
  personId: string,
  milestoneIds: string[],
): Promise<MilestoneWithRole[]> {
  if (milestoneIds.length === 0) return []
  const { rows } = await sql<MilestoneWithRole>`
    select m.id as "milestoneId", m.title as "milestoneTitle", p.id as "projectId", p.title as "projectTitle",
      case when p.owner_id = ${personId} then 'owner' else c.role end as role
    from live_milestones m join live_projects p on p.id = m.project_id
    left join collaborators c on c.project_id = p.id and c.user_id = ${personId} and c.status = 'accepted'
    where m.id = any(${milestoneIds}::uuid[])
      and (p.owner_id = ${personId} or c.role is not null
        or exists (select from public_projects o where o.id = p.id))`.execute(db)
  return rows
}
