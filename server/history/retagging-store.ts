import { sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { type LatestRevision, NOBODY } from './store.ts'

/** Returns the latest revision of each of these entries. */
export async function listLatest(
  trx: Transaction<Schema>,
  entryIds: string[],
): Promise<Map<string, LatestRevision>> {
  const { rows } = await sql<LatestRevision & { entry_id: string }>`
    select r.* from unnest(${entryIds}::uuid[]) as wanted (id) cross join lateral (
      select entry_id, id, version, name, cause, state, author_ids, author_names, bytes, begun_at from entry_revisions
      where entry_id = wanted.id order by version desc limit 1) r`.execute(trx)
  return new Map(rows.map((row) => [row.entry_id, row]))
}

const columns = sql`id, entry_id, first_version, version, title, content, tags, happened_at, happened_on,
  happened_zone, cover_file_id, no_cover, state, word_count, author_ids, author_names, cause, bytes, begun_at, created_at`

const copied = sql`e.id, e.version, e.version, e.title, e.content, e.tags, e.happened_at, e.happened_on,
  e.happened_zone, e.cover_file_id, e.no_cover, e.state,
  (select r.word_count from entry_renderings r where r.entry_id = e.id and r.entry_version = e.version)`

/** Inserts the current text of entries as the revision of their current version, by their authors. */
export async function insertCurrentOf(
  trx: Transaction<Schema>,
  entries: readonly { revisionId: string; entryId: string; bytes: number }[],
): Promise<void> {
  if (entries.length === 0) return
  await sql`
    insert into entry_revisions (${columns})
    select v.id, ${copied},
      case when e.author_name is null then '{}' else array[coalesce(e.author_id, ${NOBODY}::uuid)] end,
      case when e.author_name is null then '{}' else array[e.author_name] end,
      'save', v.bytes, e.updated_at, e.updated_at
    from unnest(${entries.map(({ revisionId }) => revisionId)}::uuid[], ${entries.map(({ entryId }) => entryId)}::uuid[],
      ${entries.map(({ bytes }) => bytes)}::integer[]) as v (id, entry_id, bytes)
    join entries_and_drafts e on e.id = v.entry_id`.execute(trx)
}

type Revision = { entryId: string; revision: string; supersedes: string | null; begunAt: Date }

/** Inserts the text of changed entries as revisions of one writer, and marks those that these supersede. */
export async function insertRevisions(
  trx: Transaction<Schema>,
  revisions: readonly Revision[],
  { writerId, now }: { writerId: string; now: Date },
): Promise<void> {
  const superseded = revisions.flatMap(({ supersedes }) => supersedes ?? [])
  await sql`update entry_revisions set superseded = true where id = any(${superseded}::uuid[])`.execute(trx)
  await sql`
    insert into entry_revisions (${columns})
    select v.id, ${copied}, array[${writerId}::uuid],
      array[coalesce((select name from users where id = ${writerId}::uuid), '')], 'save',
      octet_length(e.title) + octet_length(e.content) + octet_length(array_to_string(e.tags, '')), v.begun_at, ${now}
    from unnest(${revisions.map(({ revision }) => revision)}::uuid[], ${revisions.map(({ entryId }) => entryId)}::uuid[],
      ${revisions.map(({ begunAt }) => begunAt)}::timestamptz[]) as v (id, entry_id, begun_at)
    join entries_and_drafts e on e.id = v.entry_id`.execute(trx)
}
