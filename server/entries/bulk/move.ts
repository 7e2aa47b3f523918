import type { Transaction } from 'kysely'
import type { MovedEntries } from '#contract/bulk-changes.ts'
import { changeProjects } from '#server/change-project.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { activityOfChange, recordDeparture } from '#server/entries/activity.ts'
import { changed } from '#server/entries/saving.ts'
import { findEntryForSave, listLocations, updateEntryRow } from '#server/entries/saving-store.ts'
import { moveFilesWithEntry, refuseFilesOfOtherOwner } from '#server/files/uses.ts'
import { nextRevision } from '#server/history/record.ts'
import { type ProjectAccess, requirePublishing } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import type { Change } from '#server/platform/changes/changes.ts'
import { findMade, recordBulkChange } from './record.ts'

/**
 * Moves entries of a project to a milestone, which may be in another project, like `updateEntry` does with each. Returns how many were
 * not there yet. Throws `not_found` if one of them is in neither project, `forbidden`, `quota_exceeded` or `invalid`; then none moves.
 */
export async function moveEntries(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  { entries, milestone: sent }: MovedEntries,
  change: Change,
): Promise<{ moved: number; undo: string | null }> {
  const milestone = sent.toLowerCase()
  const refs = [{ projectId }, { milestoneId: milestone }] as const
  return changeProjects(deps, caller, 'content:edit', refs, async (trx, [from, to], publish) => {
    const made = await findMade(trx, caller, from.projectId, change)
    if (made) return { moved: made.entries, undo: made.id }
    const ids = [...new Set(entries.map((id) => id.toLowerCase()))].toSorted()
    const found = await listLocations(trx, ids, [from.projectId, to.projectId], caller.userId)
    if (found.length < ids.length) throw notFound('Entry')
    const elsewhere = found.filter(({ milestoneId }) => milestoneId !== milestone)
    if (elsewhere.length === 0) return { moved: 0, undo: null }
    const moves = elsewhere.map((location) => ({
      ...location,
      milestone,
      from: location.projectId === to.projectId ? to : from,
      to,
    }))
    const isSeen = await moveAll(trx, deps, caller, moves)
    const undo = await recordBulkChange(trx, change, {
      projectId: from.projectId,
      madeBy: caller.userId,
      kind: 'entries_moved',
      details: { milestone, project: to.projectId },
      formers: elsewhere.map(({ id, milestoneId }) => ({ entryId: id, milestoneId })),
      now: deps.clock(),
    })
    for (const access of [from, to])
      publish(isSeen ? { project: access.projectId } : { person: caller.userId, project: access.projectId })
    return { moved: elsewhere.length, undo }
  })
}

/** Moves entries one after the other, and returns whether others see any of them. */
export async function moveAll(
  trx: Transaction<Schema>,
  deps: AppDeps,
  caller: Caller,
  moves: readonly Moving[],
): Promise<boolean> {
  let isSeen = false
  for (const move of moves) isSeen = (await moveOne(trx, deps, caller, move)) || isSeen
  return isSeen
}

/** An entry, its milestone with the access to that project, and those to which it moves. */
export type Moving = {
  id: string
  milestoneId: string
  milestone: string
  from: ProjectAccess
  to: ProjectAccess
}

/** Moves an entry, and returns whether others see it. */
async function moveOne(
  trx: Transaction<Schema>,
  deps: AppDeps,
  caller: Caller,
  { id, milestoneId, milestone, from, to }: Moving,
): Promise<boolean> {
  const current = await findEntryForSave(trx, milestoneId, id, caller.userId)
  if (!current) throw notFound('Entry')
  const isSeen = current.state === 'published'
  if (isSeen) for (const access of [from, to]) requirePublishing(caller, access)
  const now = deps.clock()
  const cause = 'save'
  const next = changed(current, { milestoneId: milestone, happened: undefined, cover: undefined })
  const wordCount = current.rendering?.word_count ?? null
  const save = { writerId: caller.userId, cause, wordCount, now } as const
  // Its text is the same, so this adds no revision.
  const { values: revision, bytes: historyBytes } = await nextRevision(trx, current, next, save)
  const activity = activityOfChange(caller, to, { before: current, after: next, cause, now })
  const written = { milestoneId: milestone, historyBytes, change: null }
  const updated = await updateEntryRow(trx, id, written, { revision, activity, rendering: null, draft: null })
  if (to.projectId !== from.projectId) {
    await moveFilesWithEntry(trx, id, to.projectId)
    await refuseFilesOfOtherOwner(trx, { entryId: id }, to.projectId)
  }
  await recordDeparture(trx, caller, { from, to }, { before: current, after: updated, now })
  return isSeen
}
