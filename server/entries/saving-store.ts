import { type Insertable, sql, type Transaction } from 'kysely'
import type { EntryFields } from '#contract/entries.ts'
import { prepared } from '#server/database/prepared.ts'
import type { EntryRow, Schema } from '#server/database/rows.ts'
import type { NewImage } from '#server/files/entry-image/service.ts'
import { columns } from './store.ts'

/** Returns the time zone that a person has chosen. */
export async function findTimeZone(trx: Transaction<Schema>, userId: string): Promise<string | undefined> {
  const row = await trx.selectFrom('users').select('time_zone').where('id', '=', userId).executeTakeFirst()
  return row?.time_zone ?? undefined
}

/** When an entry happened, as stored. */
export type Happened = { at: Date; on: string; zone: string }

type NewEntry = Pick<EntryFields, 'title' | 'content' | 'tags' | 'coverFile'> & {
  id: string
  milestoneId: string
  authorId: string
  happened: Happened
  state: EntryRow['state']['__select__']
  image: NewImage | null
  now: Date
}

/** Adds an entry without its rendering. */
export async function insertEntry(trx: Transaction<Schema>, entry: NewEntry) {
  const { title, content, tags, happened, image, now } = entry
  const [row] = await newEntry.all(trx, {
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
    cover_file_id: entry.coverFile ?? null,
    ...imageColumns(image),
    now,
  })
  if (!row) throw new Error('an entry was not inserted')
  return row
}

type EntryColumns = Omit<
  Insertable<EntryRow>,
  'created_at' | 'updated_at' | 'version' | 'author_name' | 'deleted_at' | 'deleted_by' | 'deletion_id'
> & { now: Date }

const newEntry = prepared((db, values: EntryColumns) =>
  db
    .insertInto('entries')
    .values({
      id: values.id,
      milestone_id: values.milestone_id,
      title: values.title,
      content: values.content,
      tags: values.tags,
      happened_at: values.happened_at,
      happened_on: values.happened_on,
      happened_zone: values.happened_zone,
      author_id: values.author_id,
      author_name: (q) =>
        q
          .selectFrom('users')
          .select('name')
          .where('id', '=', values.author_id ?? null),
      state: values.state,
      image_id: values.image_id,
      image_width: values.image_width,
      image_height: values.image_height,
      image_bytes: values.image_bytes,
      cover_file_id: values.cover_file_id,
      created_at: values.now,
      updated_at: values.now,
    })
    .returning(columns),
)

type EntryUpdate = Partial<
  Pick<NewEntry, 'title' | 'content' | 'tags' | 'coverFile' | 'state' | 'milestoneId' | 'happened'>
> & {
  image: NewImage | null | undefined
  /** The bytes that the save adds to the history. */
  historyBytes: number
}

/**
 * Updates an entry except its rendering and its author, whose stored name it returns. Undefined fields are unchanged, and
 * `image` null removes the image. Another milestone moves the entry.
 */
export function updateEntryRow(trx: Transaction<Schema>, id: string, fields: EntryUpdate, now: Date) {
  return trx
    .updateTable('entries')
    .set({
      title: fields.title,
      content: fields.content,
      tags: fields.tags,
      state: fields.state,
      milestone_id: fields.milestoneId,
      cover_file_id: fields.coverFile,
      happened_at: fields.happened?.at,
      happened_on: fields.happened?.on,
      happened_zone: fields.happened?.zone,
      ...(fields.image !== undefined && imageColumns(fields.image)),
      history_bytes: sql`history_bytes + ${fields.historyBytes}`,
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
