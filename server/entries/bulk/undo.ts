import type { Transaction } from 'kysely'
import { TAGS_MAX } from '#contract/entries.ts'
import { changeProjects } from '#server/change-project.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { listLocations, listMilestones } from '#server/entries/saving-store.ts'
import { type ProjectAccess, requirePublishing } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { restoreEntries } from '#server/trash/mark.ts'
import { moveAll } from './move.ts'
import { UNDO_MS } from './record.ts'
import { recordRenaming } from './rename-tag.ts'
import { restoredTags, retag } from './retag.ts'
import { type BulkChange, findBulkChange, listFormers, markUndone } from './store.ts'
import { listTaggedEntries } from './tag-store.ts'

type Ref = { projectId: string; bulkChangeId: string }

/**
 * Undoes a change of several entries that the caller has made in the last day, as far as nobody has changed the same again: those that
 * were, or that the caller no longer sees, stay as they are. Returns how many it changed. Throws `not_found`, also if a milestone
 * is missing to which entries would return, `forbidden`, `parent_deleted` or `quota_exceeded`; then nothing changes.
 */
export async function undoBulkChange(
  deps: AppDeps,
  caller: Caller,
  { projectId, bulkChangeId: id }: Ref,
): Promise<{ entries: number }> {
  const by = { id, projectId, madeBy: caller.userId }
  const known = await findBulkChange(deps.db, by)
  const other = known?.details.project ?? projectId
  const refs = other === projectId ? [{ projectId }] : [{ projectId }, { projectId: other }]
  return changeProjects(deps, caller, 'content:edit', refs, async (trx, accesses, publish, { allow }) => {
    for (const access of accesses) requirePublishing(caller, access)
    const [from, to = from] = accesses
    if (!from || !to) throw new Error('a change without access')
    const change = await findBulkChange(trx, by)
    const now = deps.clock()
    if (!change || now.getTime() - change.made_at.getTime() > UNDO_MS) throw notFound('Change')
    if (change.undone_entries !== null) return { entries: change.undone_entries }
    const undoing = { deps, caller, from, to, change, now }
    const { entries, isSeen, bytes = 0 } = await undoOf[change.kind](trx, undoing)
    allow(from, async () => ({ bytes }))
    await markUndone(trx, id, entries)
    for (const access of entries > 0 ? accesses : [])
      publish(isSeen ? { project: access.projectId } : { person: caller.userId, project: access.projectId })
    return { entries }
  })
}

type Undoing = {
  deps: AppDeps
  caller: Caller
  from: ProjectAccess
  to: ProjectAccess
  change: BulkChange
  now: Date
}

type Undone = { entries: number; isSeen: boolean; bytes?: number }

const undoOf: {
  [kind in BulkChange['kind']]: (trx: Transaction<Schema>, undoing: Undoing) => Promise<Undone>
} = {
  async tag_renamed(trx, { deps, caller: { userId }, from: { projectId }, change, now }) {
    const { tag = '', name = '' } = change.details
    const formers = await listFormers(trx, change.id)
    const formerOf = new Map(formers.map((row) => [row.entry_id, row.former_tags]))
    const asked = { ids: [...formerOf.keys()], projectId, reader: userId }
    const retaggings = (await listTaggedEntries(trx, asked)).flatMap((entry) => {
      const tags = restoredTags(entry.tags, { tag, name, former: formerOf.get(entry.id) ?? null })
      return tags && tags.length <= TAGS_MAX ? [{ entry, tags }] : []
    })
    const bytes = await retag(trx, deps, { projectId, writerId: userId, now }, retaggings)
    const isSeen = retaggings.some(({ entry }) => entry.state === 'published')
    if (isSeen) await recordRenaming(trx, { projectId, actorId: userId, tag: name, name: tag, now })
    return { entries: retaggings.length, isSeen, bytes }
  },

  async entries_moved(trx, { deps, caller, from, to, change }) {
    const formers = await listFormers(trx, change.id)
    const formerOf = new Map(formers.map((row) => [row.entry_id, row.former_milestone_id ?? '']))
    const found = await listLocations(trx, [...formerOf.keys()], [to.projectId], caller.userId)
    const still = found.filter(({ milestoneId }) => milestoneId === change.details.milestone)
    const targets = [...new Set(still.map(({ id }) => formerOf.get(id) ?? ''))]
    const projectOf = await listMilestones(trx, targets, [from.projectId, to.projectId])
    if (projectOf.size < targets.length) throw notFound('Milestone')
    const moves = still.map(({ id, milestoneId }) => {
      const milestone = formerOf.get(id) ?? ''
      const target = projectOf.get(milestone) === from.projectId ? from : to
      return { id, milestoneId, milestone, from: to, to: target }
    })
    return { entries: moves.length, isSeen: await moveAll(trx, deps, caller, moves) }
  },

  async entries_deleted(trx, { caller, from, change, now }) {
    const deletions = (await listFormers(trx, change.id)).flatMap(({ deletion }) => deletion ?? [])
    return restoreEntries(trx, deletions, { projectId: from.projectId, restoredBy: caller.userId, now })
  },
}
