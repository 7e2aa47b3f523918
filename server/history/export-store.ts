import { sql } from 'kysely'
import type { Db } from '#server/database/rows.ts'
import { authors } from './store.ts'

type Batch = {
  entryId: string
  /** The writer of the entry also has the versions from when it was a draft. */
  reader: string
  /** The version after which the batch begins; 0: at the first one. */
  after: number
  limit: number
}

/** Returns the listed versions of an entry with their texts, oldest first. */
export function listVersions(db: Db, { entryId, reader, after, limit }: Batch) {
  return db
    .selectFrom('entry_revisions as r')
    .innerJoin('entries_and_drafts as e', 'e.id', 'r.entry_id')
    .select([
      'r.id',
      'r.first_version',
      'r.version',
      'r.title',
      'r.content',
      'r.tags',
      'r.state',
      'r.name',
      'r.cause',
    ])
    .select([
      'r.happened_at',
      'r.happened_on',
      'r.happened_zone',
      'r.cover_file_id',
      'r.no_cover',
      'r.word_count',
    ])
    .select(['r.begun_at', 'r.created_at'])
    .select(authors)
    .select(sql<boolean>`r.version = e.version`.as('is_current'))
    .where('r.entry_id', '=', entryId)
    .where('r.version', '>', after)
    .where(sql<boolean>`not r.superseded`)
    .where(sql<boolean>`(r.state = 'published' or e.author_id = ${reader}::uuid)`)
    .orderBy('r.version')
    .limit(limit)
    .execute()
}

export type VersionRecord = Awaited<ReturnType<typeof listVersions>>[number]
