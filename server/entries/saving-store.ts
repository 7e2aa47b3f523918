import { type Insertable, type RawBuilder, sql, type Transaction } from 'kysely'
import type { EntryFields } from '#contract/entries.ts'
import { activityPart, type EntryActivityValues } from '#server/activity/service.ts'
import { pictureOf } from '#server/database/people.ts'
import { prepared } from '#server/database/prepared.ts'
import type { EntryRow } from '#server/database/rows/entries.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { endingPart } from '#server/drafts/service.ts'
import type { CoverChoice } from '#server/files/present.ts'
import { latestOf, latestPart, type RevisionValues, revisionParts } from '#server/history/record.ts'
import { withChange } from '#server/platform/changes/changes.ts'
import { type Listener, listenersPart } from '#server/watching/news.ts'
import {
  type RenderingRecord,
  type RenderingValues,
  renderingParts,
  renderingValues,
} from './rendering-store.ts'
import { columns, details, type EntryRecord, type RenderingSummary, visibleTo } from './store.ts'

/** When an entry happened, as stored. */
export type Happened = { at: Date; on: string; zone: string }

/** What a save writes besides the row of the entry, in the same statement. `draft`: the autosaved draft that it ends. */
export type SavedWith = {
  revision: RevisionValues
  activity: EntryActivityValues
  rendering: Parameters<typeof renderingValues>[0]
  draft: string | null
}

type Parts = RevisionValues & EntryActivityValues & RenderingValues & { draft: string | null }

/** kysely adds no parentheses to raw SQL. */
const part = (statement: RawBuilder<unknown>) => sql<never>`(${statement})`

const valuesOf = ({ revision, activity, rendering, draft }: SavedWith): Parts => ({
  ...revision,
  ...activity,
  ...renderingValues(rendering),
  draft,
})

type NewEntry = Pick<EntryFields, 'title' | 'content' | 'tags'> & {
  id: string
  milestoneId: string
  authorId: string
  happened: Happened
  state: EntryRow['state']['__select__']
  cover: CoverChoice | undefined
  firstPictureId: string | null
  changes: string[]
  now: Date
  /** The project whose members may hear of it; null: nobody does. */
  heardIn: string | null
}

/** The row of an entry that was just saved. */
export type SavedRow = Omit<EntryRecord, 'rendering' | 'cover' | 'schedule'>

/**
 * Adds an entry with its rendering, its first revision and its activity, and returns who may hear of it, in one statement; undefined if its
 * id is taken.
 */
export async function insertEntry(
  trx: Transaction<Schema>,
  entry: NewEntry,
  savedWith: SavedWith,
): Promise<(SavedRow & { listeners: Listener[] }) | undefined> {
  const { title, content, tags, happened, changes, now } = entry
  const row = await creation.first(trx, {
    ...valuesOf(savedWith),
    id: entry.id,
    milestone_id: entry.milestoneId,
    title,
    content,
    tags,
    happened_at: happened.at,
    happened_on: happened.on,
    happened_zone: happened.zone,
    author_id: entry.authorId,
    state: entry.state,
    cover_file_id: entry.cover?.cover_file_id ?? null,
    no_cover: entry.cover?.no_cover ?? false,
    first_picture_id: entry.firstPictureId,
    changes,
    now,
    heard_in: entry.heardIn,
  })
  return row && { ...row, listeners: row.listeners ?? [] }
}

type EntryColumns = Omit<
  Insertable<EntryRow>,
  'created_at' | 'updated_at' | 'version' | 'author_name' | 'deleted_at' | 'deleted_by' | 'deletion_id'
> & { now: Date }

const creation = prepared((db, v: EntryColumns & Parts & { heard_in: string | null }) =>
  db
    .with('entry', (q) =>
      q
        .insertInto('entries')
        .values({
          id: v.id,
          milestone_id: v.milestone_id,
          title: v.title,
          content: v.content,
          tags: v.tags,
          happened_at: v.happened_at,
          happened_on: v.happened_on,
          happened_zone: v.happened_zone,
          author_id: v.author_id,
          author_name: (names) =>
            names
              .selectFrom('users')
              .select('name')
              .where('id', '=', v.author_id ?? null),
          state: v.state,
          cover_file_id: v.cover_file_id,
          no_cover: v.no_cover,
          first_picture_id: v.first_picture_id,
          changes: v.changes,
          created_at: v.now,
          updated_at: v.now,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning(columns),
    )
    .with('revision', () => part(revisionParts.revision(v)))
    .with('rendering', () => part(renderingParts.rendering(v)))
    .with('recorded', () => part(activityPart(v)))
    .with('ended', () => part(endingPart(v)))
    .selectFrom('entry as e')
    .select(columns)
    .select(pictureOf('e.author_id').as('author_picture'))
    .select(
      sql<Listener[] | null>`(select json_agg(l)
        from (${listenersPart(db, { projectId: v.heard_in, actorId: v.writer })}) l)`.as('listeners'),
    ),
)

/** An entry that is about to be saved, with its latest revision, and whether its text or cover uses files. */
export async function findEntryForSave(db: Db, milestoneId: string, id: string, reader: string) {
  const found = await entryForSave.first(db, { milestoneId, id, reader })
  return found && { ...found, latest: latestOf(found.latest) }
}

const usesFiles = sql<boolean>`exists (select from file_uses u where u.entry_id = e.id)`.as('uses_files')

const remembered = sql<string[]>`(select c.changes from entry_changes c where c.id = e.id)`.as('changes')

const entryForSave = prepared(
  (db, { milestoneId, id, reader }: { milestoneId: string; id: string; reader: string }) =>
    db
      .selectFrom('entries_and_drafts as e')
      .select(columns)
      .select(details)
      .select(usesFiles)
      .select(latestPart.as('latest'))
      .select(remembered)
      .where('id', '=', id)
      .where('milestone_id', '=', milestoneId)
      .where(visibleTo(reader)),
)

/** Returns where those of these entries are that are in one of the projects and that the reader may see, by id. */
export function listLocations(db: Db, ids: string[], projectIds: string[], reader: string) {
  return db
    .selectFrom('entries_and_drafts as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .select(['e.id', 'm.id as milestoneId', 'm.project_id as projectId'])
    .where('e.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('m.project_id', '=', sql<string>`any(${projectIds}::uuid[])`)
    .where(sql<boolean>`(e.state = 'published' or e.author_id = ${reader})`)
    .orderBy('e.id')
    .execute()
}

/** Returns those of these entries that are in a project and that the reader may see, with what their deletion records, by id. */
export function listDeletable(db: Db, ids: string[], projectId: string, reader: string) {
  return db
    .selectFrom('entries_and_drafts as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .select(['e.id', 'm.id as milestoneId', 'e.title', 'e.state'])
    .where('e.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('m.project_id', '=', projectId)
    .where(sql<boolean>`(e.state = 'published' or e.author_id = ${reader})`)
    .orderBy('e.id')
    .execute()
}

/** Returns the projects of those of these milestones that are in one of the projects, by milestone. */
export async function listMilestones(
  db: Db,
  ids: string[],
  projectIds: string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('live_milestones')
    .select(['id', 'project_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('project_id', '=', sql<string>`any(${projectIds}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, project_id }) => [id, project_id]))
}

/** The location of an entry that this account has created, wherever it is now. */
export function findEntryOfAuthor(db: Db, id: string, authorId: string) {
  return db
    .selectFrom('entries_and_drafts as e')
    .innerJoin('live_milestones as m', 'm.id', 'e.milestone_id')
    .select(['m.id as milestoneId', 'm.project_id as projectId'])
    .select(remembered)
    .where('e.id', '=', id)
    .where('e.author_id', '=', authorId)
    .executeTakeFirst()
}

type EntryUpdate = Partial<
  Pick<
    NewEntry,
    'title' | 'content' | 'tags' | 'cover' | 'firstPictureId' | 'state' | 'milestoneId' | 'happened'
  >
> & {
  /** The bytes that the save adds to the history. */
  historyBytes: number
  /** The id of the change. */
  change: string | null
}

/** The row of an entry after an update, with the rendering that it kept; null without one. */
type UpdatedRow = Omit<SavedRow, 'author_name'> & { kept: (RenderingSummary & RenderingRecord) | null }

/**
 * Updates an entry except its author, whose stored name it returns, with its rendering, its history and its activity, in one
 * statement. Undefined fields are unchanged, and another milestone moves the entry.
 */
export async function updateEntryRow(
  trx: Transaction<Schema>,
  id: string,
  fields: EntryUpdate,
  savedWith: SavedWith,
): Promise<UpdatedRow> {
  const changes = {
    title: fields.title,
    content: fields.content,
    tags: fields.tags,
    state: fields.state,
    milestone_id: fields.milestoneId,
    ...fields.cover,
    first_picture_id: fields.firstPictureId,
    happened_at: fields.happened?.at,
    happened_on: fields.happened?.on,
    happened_zone: fields.happened?.zone,
  }
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined)
  const names = changed.map(([name]) => name as ChangedColumn)
  const row = await updateOf(names).first(trx, {
    ...valuesOf(savedWith),
    ...Object.fromEntries(changed),
    id,
    history_bytes: fields.historyBytes,
    change: fields.change,
  })
  if (!row) throw new Error('an entry was not updated')
  return row
}

type ChangedColumn = Exclude<keyof EntryColumns, 'id' | 'author_id' | 'history_bytes' | 'changes' | 'now'>
type Update = Parts & { id: string; history_bytes: number; change: string | null } & {
  readonly [name in ChangedColumn]?: unknown
}

const updates = new Map<string, ReturnType<typeof prepareUpdate>>()

/** A column that is set to its own value would be written again, also outside of the row. */
function updateOf(names: readonly ChangedColumn[]) {
  const key = names.join(' ')
  const known = updates.get(key) ?? prepareUpdate(names)
  updates.set(key, known)
  return known
}

function prepareUpdate(names: readonly ChangedColumn[]) {
  return prepared((db, v: Update) =>
    db
      .with('entry', (q) =>
        q
          .updateTable('entries')
          .set({
            ...Object.fromEntries(names.map((name) => [name, v[name]])),
            history_bytes: sql`history_bytes + ${v.history_bytes}`,
            version: sql`version + 1`,
            changes: withChange(v.change),
            updated_at: v.now,
          })
          .where('id', '=', v.id)
          .returning(columns),
      )
      .with('superseded', () => part(revisionParts.superseded(v)))
      .with('extended', () => part(revisionParts.extended(v)))
      .with('revision', () => part(revisionParts.revision(v)))
      .with('rendering', () => part(renderingParts.rendering(v)))
      .with('moved', () => part(renderingParts.moved(v)))
      .with('recorded', () => part(activityPart(v)))
      .with('ended', () => part(endingPart(v)))
      .selectFrom('entry as e')
      .select(columns)
      .select(pictureOf('e.author_id').as('author_picture'))
      .select(sql<UpdatedRow['kept']>`(select to_json(moved) from moved)`.as('kept')),
  )
}
