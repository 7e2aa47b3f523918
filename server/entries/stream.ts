import type { Entry } from '#contract/entries.ts'
import type { Db } from '#server/database/rows.ts'
import { readByCursor, streamSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { type JsonStream, writeJson } from '#server/platform/api/json-stream.ts'
import { entryPresenter } from './present.ts'
import { type EntryRecord, entriesOfMilestone, entriesOfProject, FEW, listFew } from './store.ts'

/** Returns all entries of a milestone that the caller may view, including their own unpublished ones, newest first. Throws `not_found`. */
export function streamEntries(
  deps: AppDeps,
  caller: Caller | null,
  milestoneId: string,
): JsonStream<Entry[]> {
  return streamSnapshot(deps.db, async function* (db) {
    const access = await requireAccess(db, caller, 'project:view', { milestoneId })
    const present = entryPresenter(deps, caller, access)
    yield* writeJson<Entry[]>(presented(iterateEntries(db, milestoneId, caller?.userId ?? null), present))
  })
}

/** Most milestones have few entries, which one prepared statement reads at half the cost of a cursor. */
async function* iterateEntries(
  db: Db,
  milestoneId: string,
  reader: string | null,
): AsyncGenerator<EntryRecord, void> {
  const first = await listFew(db, milestoneId, reader)
  if (first.length < FEW) yield* first
  else yield* readByCursor(db, entriesOfMilestone(db, milestoneId, reader))
}

/**
 * Returns all live entries of a project that the caller may view, within the transaction of a stream, in the order of the
 * milestones and in each the newest first. Throws `not_found`.
 */
export async function* iterateProjectEntries(
  { db, ...deps }: Pick<AppDeps, 'links'> & { db: Db },
  caller: Caller | null,
  projectId: string,
): AsyncGenerator<Entry> {
  const access = await requireAccess(db, caller, 'project:view', { projectId })
  const present = entryPresenter(deps, caller, access)
  yield* presented(readByCursor(db, entriesOfProject(db, projectId)), present)
}

async function* presented(rows: AsyncIterable<EntryRecord>, present: (row: EntryRecord) => Entry) {
  for await (const row of rows) yield present(row)
}
