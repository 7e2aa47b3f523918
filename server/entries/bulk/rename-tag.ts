import type { Transaction } from 'kysely'
import { type RenamedTag, TAGS_LISTED_MAX, type TagChange, type TagList } from '#contract/bulk-changes.ts'
import { recordActivity } from '#server/activity/service.ts'
import { changeProjects } from '#server/change-project.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { requireAccess, requirePublishing } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError, notFound } from '#server/platform/api/errors.ts'
import type { Change } from '#server/platform/changes/changes.ts'
import { isUnderLimit } from '#server/platform/limits/limits.ts'
import { findMade, recordBulkChange } from './record.ts'
import { replaced, retag } from './retag.ts'
import { isTagUsed, listProjectTags, listTagged, listTaggedEntries } from './tag-store.ts'

/** Each entry gets a version of its own, while the project is locked. */
const ENTRIES_MAX = 1_000

const HOUR_S = 3_600
const RENAMINGS = { name: 'renamed tags', calls: 60, seconds: HOUR_S }

/** Returns the tags of a project that the caller may view. Throws `not_found`. */
export async function listTags(deps: AppDeps, caller: Caller | null, projectId: string): Promise<TagList> {
  await requireAccess(deps.db, caller, 'project:view', { projectId })
  const tags = await listProjectTags(deps.db, projectId, TAGS_LISTED_MAX + 1)
  return { tags: tags.slice(0, TAGS_LISTED_MAX), isCut: tags.length > TAGS_LISTED_MAX }
}

/**
 * Gives a tag of a project another name, in all its published entries and the caller's own unpublished ones; if the project has a tag of that
 * name already, the two become one. Unpublished ones of others and what is in the trash keep it. Throws `not_found`, `forbidden`,
 * `too_many_requests`, `quota_exceeded`, or `conflict` if there are too many entries.
 */
export function renameTag(
  deps: AppDeps,
  caller: Caller,
  { projectId, tag }: { projectId: string; tag: string },
  { name }: TagChange,
  change: Change,
): Promise<RenamedTag> {
  const refs = [{ projectId }] as const
  return changeProjects(deps, caller, 'content:edit', refs, async (trx, [access], publish, { allow }) => {
    requirePublishing(caller, access)
    const made = await findMade(trx, caller, projectId, change)
    if (made) return { entries: made.entries, merged: made.details.isMerged ?? false, undo: made.id }
    const reader = caller.userId
    const ids = await listTagged(trx, { projectId, tag, reader, limit: ENTRIES_MAX + 1 })
    if (ids.length === 0) throw notFound('Tag')
    if (ids.length > ENTRIES_MAX) throw tooMany()
    if (name === tag) return { entries: ids.length, merged: false, undo: null }
    const now = deps.clock()
    if (!(await isUnderLimit({ trx, now }, RENAMINGS, reader))) throw tooOften()
    const isMerged = await isTagUsed(trx, { projectId, tag: name, reader })
    const entries = await listTaggedEntries(trx, { ids, projectId, reader })
    const retaggings = entries.map((entry) => ({ entry, tags: replaced(entry.tags, tag, name) }))
    const bytes = await retag(trx, deps, { projectId, writerId: reader, now }, retaggings)
    allow(access, async () => ({ bytes }))
    const formers = entries.map(({ id, tags }) => ({ entryId: id, tags: tags.includes(name) ? tags : null }))
    const kept = { projectId, madeBy: reader, formers, now } as const
    const details = { tag, name, isMerged }
    const undo = await recordBulkChange(trx, change, { ...kept, kind: 'tag_renamed', details })
    const isSeen = entries.some(({ state }) => state === 'published')
    if (isSeen) await recordRenaming(trx, { projectId, actorId: reader, tag, name, now })
    publish(isSeen ? { project: projectId } : { person: reader, project: projectId })
    return { entries: entries.length, merged: isMerged, undo }
  })
}

type Recorded = { projectId: string; actorId: string; tag: string; name: string; now: Date }

/** Records that a tag has another name now. */
export const recordRenaming = (
  trx: Transaction<Schema>,
  { projectId, actorId, tag, name, now }: Recorded,
): Promise<void> =>
  recordActivity(trx, {
    kind: 'tag_renamed',
    projectId,
    actorId,
    subject: name,
    details: { formerName: tag },
    now,
  })

const tooMany = () =>
  new AppError(
    'conflict',
    `More than ${ENTRIES_MAX.toLocaleString('en')} entries have this tag, too many to change at once. Change the tag in some of them first.`,
  )

const tooOften = () =>
  new AppError('too_many_requests', 'You have renamed many tags within an hour. Please wait a while.', {
    retryAfter: HOUR_S,
  })
