import type { Transaction } from 'kysely'
import type { Rendering } from '#markdown/rendering.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { coverChoice } from '#server/files/present.ts'
import { firstPicture } from '#server/files/uses.ts'
import { importedVersionId, importFacts } from '#server/history/importing.ts'
import { firstRevision } from '#server/history/record.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { idTaken } from '#server/platform/changes/changes.ts'
import { activityOfWriting } from './activity.ts'
import { asItWas, type ImportedEntry, isMilestoneOf } from './importing-store.ts'
import { lockFilesOfSave, recordFiles } from './saving.ts'
import { insertEntry } from './saving-store.ts'

export { isUntouched, removeImportedEntry } from './importing-store.ts'

/** Adds an entry as it was elsewhere, to a live milestone of a project that is locked, without an activity: nobody is told. Throws `not_found` and `id_taken`. */
export async function importEntry(
  deps: Pick<AppDeps, 'fileSettings'>,
  trx: Transaction<Schema>,
  { caller, access }: { caller: Caller; access: { projectId: string } },
  entry: ImportedEntry,
  rendering: Rendering,
): Promise<void> {
  const { html } = rendering
  if (!(await isMilestoneOf(trx, access.projectId, entry.milestoneId))) throw notFound('Milestone')
  const { id, milestoneId, title, content, tags, state, happened, coverFile, createdAt: now } = entry
  const usesFiles = await lockFilesOfSave(trx, null, { html, coverFile, draft: [] })
  const writing = { ...access, writerId: caller.userId }
  const firstPictureId = usesFiles ? await firstPicture(trx, null, html, writing) : null
  const cover = coverChoice(coverFile)
  const text = { title, content, tags, cover, firstPictureId }
  const save = { writerId: caller.userId, cause: 'save' as const, wordCount: rendering.wordCount, now }
  const firstVersion = entry.latest?.firstVersion ?? entry.version
  const revision = { ...firstRevision(text, save), revision: importedVersionId(id, firstVersion) }
  const activity = activityOfWriting(caller, access, { state: 'draft', now })
  const written = { id, milestoneId, authorId: caller.userId, ...text, state, happened, changes: [], now }
  const row = await insertEntry(
    trx,
    { ...written, heardIn: null },
    { revision, activity, rendering, draft: null },
  )
  if (!row) throw idTaken()
  const files = { access, caller, html, coverFile, revisionId: revision.revision }
  if (usesFiles) await recordFiles({ ...deps, trx }, row, files)
  await asItWas(trx, entry)
  if (entry.latest) await importFacts(trx, id, entry.latest)
}
