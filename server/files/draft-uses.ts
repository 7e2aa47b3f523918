import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import {
  deleteUsesOfDraft,
  insertUsesOfDraft,
  listUsesOfDraft,
  lockUsableByDraft,
} from './draft-use-store.ts'

const reference = /\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi
/** The maximum number of files that a draft keeps, which exceeds that of an entry. */
const FILES_MAX = 1_000

type Written = { content: string; coverFile?: string | null | undefined }

/**
 * Records the files that a draft refers to: its writer's uploads, files of its entry, and files that it used before. Finds the
 * references in the Markdown, because a draft is rendered only when it is saved. A false match keeps a file a little longer.
 * The draft must be locked.
 */
export async function recordFilesOfDraft(
  trx: Transaction<Schema>,
  { draftId, writerId, entryId }: { draftId: string; writerId: string; entryId: string | null },
  { content, coverFile }: Written,
): Promise<void> {
  const wanted = [
    ...referencesIn(content).map((id) => ({ id, as: 'text' as const })),
    ...(coverFile ? [{ id: coverFile, as: 'cover' as const }] : []),
  ]
  const before = await listUsesOfDraft(trx, draftId)
  const keys = new Set(before.map(({ file_id, used_as }) => `${used_as} ${file_id}`))
  if (wanted.length === keys.size && wanted.every(({ id, as }) => keys.has(`${as} ${id}`))) return
  const ids = [...new Set(wanted.map(({ id }) => id))]
  const usable = new Set(await lockUsableByDraft(trx, { draftId, writerId, entryId }, ids))
  const used = wanted.filter(({ id }) => usable.has(id))
  const stays = new Set(used.map(({ id, as }) => `${as} ${id}`))
  const gone = before.filter(({ file_id, used_as }) => !stays.has(`${used_as} ${file_id}`))
  if (gone.length > 0) await deleteUsesOfDraft(trx, draftId, gone)
  const added = used.filter(({ id, as }) => !keys.has(`${as} ${id}`))
  if (added.length > 0) await insertUsesOfDraft(trx, draftId, added)
}

function referencesIn(content: string): string[] {
  const ids = new Set<string>()
  for (const [, id = ''] of content.matchAll(reference)) if (ids.size < FILES_MAX) ids.add(id.toLowerCase())
  return [...ids]
}
