import type { Transaction } from 'kysely'
import type { RenamedTag, TagChange } from '#contract/entries.ts'
import { entryActivity, recordActivity } from '#server/activity/service.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { keepFilesOfRevision } from '#server/files/uses.ts'
import { nextRevision, trimHistory } from '#server/history/record.ts'
import { changeProjects, requirePublishing } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/calls.ts'
import { AppError, notFound } from '#server/platform/errors.ts'
import { changed } from './saving.ts'
import { findEntryForSave, updateEntryRow } from './saving-store.ts'
import { isTagUsed, listTagged } from './tag-store.ts'

/** Each entry gets a version of its own, while the project is locked. */
const ENTRIES_MAX = 1_000

/**
 * Gives a tag of a project another name, in all its published entries and the caller's own drafts; if the project has a tag of that
 * name already, the two become one. Drafts of others and what is in the trash keep it. Throws `not_found`, `forbidden`,
 * `quota_exceeded`, or `conflict` if there are too many entries.
 */
export function renameTag(
  deps: AppDeps,
  caller: Caller,
  { projectId, tag }: { projectId: string; tag: string },
  { name }: TagChange,
): Promise<RenamedTag> {
  const refs = [{ projectId }] as const
  return changeProjects(deps, caller, 'content:edit', refs, async (trx, [access], publish, allow) => {
    requirePublishing(caller, access)
    const tagged = await listTagged(trx, { projectId, tag, reader: caller.userId, limit: ENTRIES_MAX + 1 })
    if (tagged.length === 0) throw notFound('Tag')
    if (tagged.length > ENTRIES_MAX)
      throw new AppError(
        'conflict',
        `A tag of more than ${ENTRIES_MAX.toLocaleString('en')} entries cannot be renamed`,
      )
    const wasUsed = name !== tag && (await isTagUsed(trx, { projectId, tag: name, reader: caller.userId }))
    if (name === tag) return { entries: tagged.length, merged: false }
    let bytes = 0
    for (const entry of tagged) bytes += await retag(trx, deps, caller, { ...entry, projectId, tag, name })
    allow(access, { bytes })
    if (tagged.some(({ isDraft }) => !isDraft)) {
      const details = { formerName: tag }
      await recordActivity(trx, {
        kind: 'tag_renamed',
        projectId,
        actorId: caller.userId,
        subject: name,
        details,
        now: deps.clock(),
      })
      publish({ project: projectId })
    } else publish({ person: caller.userId, project: projectId })
    return { entries: tagged.length, merged: wasUsed }
  })
}

type Retagging = { id: string; milestoneId: string; projectId: string; tag: string; name: string }

/** Gives an entry the other tag in the place of the first, and returns the bytes by which its history grew. */
async function retag(
  trx: Transaction<Schema>,
  deps: AppDeps,
  caller: Caller,
  { id, milestoneId, projectId, tag, name }: Retagging,
): Promise<number> {
  const current = await findEntryForSave(trx, milestoneId, id, caller.userId)
  if (!current) throw notFound('Entry')
  const tags = [...new Set(current.tags.map((one) => (one === tag ? name : one)))]
  const now = deps.clock()
  const next = changed(current, { tags, milestoneId, happened: undefined, cover: undefined })
  const wordCount = current.rendering?.word_count ?? null
  const save = { writerId: caller.userId, cause: 'save', wordCount, now } as const
  const { values: revision, bytes: added } = await nextRevision(trx, current, next, save)
  const activity = entryActivity(null, { projectId, actorId: caller.userId, now })
  const savedWith = { revision, activity, rendering: null, draft: null }
  await updateEntryRow(trx, id, { tags, historyBytes: added, change: null }, savedWith)
  if (revision.revision !== null && current.uses_files)
    await keepFilesOfRevision(
      trx,
      { entryId: id, revisionId: revision.revision },
      { html: undefined, coverFile: current.cover_file_id },
    )
  return (await trimHistory(trx, deps, { projectId, entryId: id, added, grown: 0 })).bytes
}
