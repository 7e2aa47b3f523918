import { type Insertable, sql, type Transaction } from 'kysely'
import type { EntryChange, EntryFields } from '#contract/entries.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Db, EntryRenderingRow, EntryRow, Schema } from '#server/database/rows.ts'
import type { NewImage, StoredImage } from '#server/files/entry-image/service.ts'

export const columns = [
  'id',
  'milestone_id',
  'title',
  'content',
  'tags',
  'image_id',
  'image_width',
  'image_height',
  'version',
  'created_at',
  'updated_at',
] as const

/** What lists show of the rendering of the entry `e`; null where its content was not rendered since it was written. */
export const summary = sql<RenderingSummary | null>`(
  select json_build_object('excerpt', r.excerpt, 'word_count', r.word_count, 'rendered_as', r.rendered_as)
  from entry_renderings r where r.entry_id = e.id and r.entry_version = e.version)`.as('rendering')

export type RenderingSummary = Pick<EntryRenderingRow, 'excerpt' | 'word_count' | 'rendered_as'>

export type EntryRecord = NonNullable<Awaited<ReturnType<typeof findEntry>>>

/** The image that an entry shows. */
export function imageOf(row: EntryRecord): StoredImage | null {
  const { image_id: id, image_width: width, image_height: height } = row
  return id === null || width === null || height === null ? null : { id, width, height }
}

/** All entries of a milestone, newest first, for a cursor. */
export function entriesOfMilestone(db: Db, milestoneId: string) {
  return db
    .selectFrom('live_entries as e')
    .select(columns)
    .select(summary)
    .where('milestone_id', '=', milestoneId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

/** All entries of a project, for a cursor: milestone by milestone, the oldest first, and in each the newest entry first. */
export function entriesOfProject(db: Db, projectId: string) {
  return db
    .selectFrom('live_entries as e')
    .innerJoin('milestones as m', 'm.id', 'e.milestone_id')
    .select(columns.map((name) => `e.${name}` as const))
    .select(summary)
    .where('m.project_id', '=', projectId)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
}

/** The newest entries of a project, newest first: of each milestone by index no more than could be among them. */
export function listNewestOfProject(db: Db, projectId: string, limit: number) {
  return db
    .selectFrom('milestones')
    .innerJoinLateral(
      (q) =>
        q
          .selectFrom('live_entries as e')
          .select(columns)
          .select(summary)
          .whereRef('milestone_id', '=', 'milestones.id')
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .selectAll('newest')
    .where('milestones.project_id', '=', projectId)
    .orderBy('newest.created_at', 'desc')
    .orderBy('newest.id', 'desc')
    .limit(limit)
    .execute()
}

/** An entry of this milestone; undefined if it belongs to another. */
export function findEntry(db: Db, milestoneId: string, id: string) {
  return entryOf.first(db, { milestoneId, id })
}

const entryOf = prepared((db, { milestoneId, id }: { milestoneId: string; id: string }) =>
  db
    .selectFrom('live_entries as e')
    .select(columns)
    .select(summary)
    .where('id', '=', id)
    .where('milestone_id', '=', milestoneId),
)

type NewEntry = EntryFields & { id: string; milestoneId: string; now: Date; image: NewImage | null }

/** Adds an entry, but for its rendering. */
export async function insertEntry(trx: Transaction<Schema>, entry: NewEntry) {
  const { title, content, tags, image, now } = entry
  const [row] = await newEntry.all(trx, {
    id: entry.id,
    milestone_id: entry.milestoneId,
    title,
    content,
    tags,
    ...imageColumns(image),
    now,
  })
  if (!row) throw new Error('an entry was not inserted')
  return row
}

type EntryColumns = Omit<Insertable<EntryRow>, 'created_at' | 'updated_at' | 'version'> & { now: Date }

const newEntry = prepared((db, values: EntryColumns) =>
  db
    .insertInto('entries')
    .values({
      id: values.id,
      milestone_id: values.milestone_id,
      title: values.title,
      content: values.content,
      tags: values.tags,
      image_id: values.image_id,
      image_width: values.image_width,
      image_height: values.image_height,
      image_bytes: values.image_bytes,
      created_at: values.now,
      updated_at: values.now,
    })
    .returning(columns),
)

/** Changes an entry, but for its rendering; `image` undefined leaves the image as it is, null takes it away. */
export function updateEntryRow(
  trx: Transaction<Schema>,
  id: string,
  fields: EntryChange & { image: NewImage | null | undefined },
  now: Date,
) {
  return trx
    .updateTable('entries')
    .set({
      title: fields.title,
      content: fields.content,
      tags: fields.tags,
      ...(fields.image !== undefined && imageColumns(fields.image)),
      version: sql`version + 1`,
      updated_at: now,
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

const imageColumns = (image: NewImage | null) => ({
  image_id: image?.id ?? null,
  image_width: image?.width ?? null,
  image_height: image?.height ?? null,
  image_bytes: image?.bytes ?? 0,
})

/** Deletes an entry of this milestone; false if there was none. */
export async function deleteEntryRow(
  trx: Transaction<Schema>,
  milestoneId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('entries')
    .where('id', '=', id)
    .where('milestone_id', '=', milestoneId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
