import type { Transaction } from 'kysely'
import { DAY_MS } from '#contract/parts/durations.ts'
import { DELETIONS_PER_PAGE, type Deletion, type Restored, type TrashPage } from '#contract/trash.ts'
import { recordActivity } from '#server/activity/service.ts'
import { queueUnmailed } from '#server/collaborators/emails.ts'
import { publishToInvited } from '#server/collaborators/invitation-links.ts'
import type { Schema } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { lockForChange, may } from '#server/permissions/access.ts'
import { can } from '#server/permissions/roles-by-action.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError, forbidden, notFound } from '#server/platform/api/errors.ts'
import { offsetOf, paginate } from '#server/platform/api/pagination.ts'
import { transact } from '#server/platform/transact.ts'
import { indexChanges } from '#server/search/indexing.ts'
import { restoreRows } from './mark-store.ts'
import { purgeSome, retentionCutoff } from './purge.ts'
import {
  countDeletions,
  type DeletionRecord,
  findDeletion,
  findRestoration,
  listDeletions,
  type TrashReader,
} from './store.ts'

/** Returns a page of the deletions that the caller may restore, latest first. */
export function listTrash(deps: AppDeps, caller: Caller, { page }: { page: number }): Promise<TrashPage> {
  const looking = lookingOf(deps, caller)
  const { trashDays: days } = deps
  return inSnapshot(deps.db, async (db) => {
    const pagination = paginate(await countDeletions(db, looking), { page, limit: DELETIONS_PER_PAGE })
    const range = { offset: offsetOf(pagination), limit: DELETIONS_PER_PAGE }
    const rows = await listDeletions(db, looking, range)
    return { deletions: rows.map(deletionPresenter(days)), pagination, days }
  })
}

/**
 * Restores exactly what was deleted together and, with `withParents`, its deleted project or milestone with what was deleted
 * together with that. Throws `not_found`, or `parent_deleted` if a parent is deleted and `withParents` is not set.
 */
export function restoreDeletion(
  deps: AppDeps,
  caller: Caller,
  deletionId: string,
  { withParents }: { withParents: boolean },
): Promise<Restored> {
  return transact(deps, async (trx, publish) => {
    const deletion = await lockDeletion(deps, trx, caller, deletionId)
    if (!deletion) {
      const before = await findRestoredBy(trx, caller, deletionId)
      if (!before) throw deletionGone()
      return presentRestored(before)
    }
    const { id, project_id: project, project_deletion, milestone_deletion } = deletion
    const parents = [project_deletion, milestone_deletion].filter((other) => other !== null && other !== id)
    if (parents.length > 0 && !withParents) throw parentDeleted(deletion)
    const deletions = new Set([id, project_deletion, milestone_deletion].filter((other) => other !== null))
    const now = deps.clock()
    await restoreRows(trx, [...deletions], { restoredBy: caller.userId, now })
    await indexChanges(trx)
    publish(deletion.entry_state === 'draft' ? { person: caller.userId, project } : { project })
    if (project_deletion !== null) {
      await publishToInvited({ trx, publish }, project)
      await queueUnmailed(deps.emailQueues?.invitations, { trx, now }, project)
    }
    const by = { projectId: project, actorId: caller.userId, now }
    for (const activity of activitiesOf(deletion)) await recordActivity(trx, { ...by, ...activity })
    return presentRestored(deletion)
  })
}

/** Returns the resources that are restored with a deletion, from the top: its deleted parents, and itself unless it is a draft. */
function activitiesOf(deletion: DeletionRecord) {
  const { project_deletion, project_title, milestone_id, milestone_deletion, milestone_title } = deletion
  const { entry_id: entryId, entry_title, entry_state } = deletion
  const milestoneId = milestone_id ?? ''
  const isOwn = milestone_deletion !== null && milestone_deletion !== project_deletion
  return [
    ...(project_deletion === null ? [] : [{ kind: 'project_restored' as const, subject: project_title }]),
    ...(isOwn ? [{ kind: 'milestone_restored' as const, subject: milestone_title ?? '', milestoneId }] : []),
    ...(entryId !== null && entry_state === 'published'
      ? [{ kind: 'entry_restored' as const, subject: entry_title ?? '', milestoneId, entryId }]
      : []),
  ]
}

/** Starts the permanent deletion, which the caller sees as complete. Throws `not_found`, or `forbidden` unless they may. */
export async function deleteForEver(deps: AppDeps, caller: Caller, deletionId: string): Promise<void> {
  await transact(deps, async (trx, publish) => {
    const deletion = await lockDeletion(deps, trx, caller, deletionId)
    if (!deletion) throw deletionGone()
    if (!mayPurge(deletion)) throw forbidden('Only the owner of a project can delete from it for ever')
    await purgeSome({ trx, publish, now: deps.clock() }, deletion.id)
  })
}

/** Returns the location of what this caller has restored from a deletion, if they may still view it. */
async function findRestoredBy(
  trx: Transaction<Schema>,
  caller: Caller,
  deletionId: string,
): Promise<Location | undefined> {
  const row = await findRestoration(trx, deletionId, caller.userId)
  return row && (await may(trx, caller, 'project:view', row.project_id)) ? row : undefined
}

/** Returns the deletion and locks its project, so that only one of concurrent restores and purges succeeds; undefined without one. */
async function lockDeletion(deps: AppDeps, trx: Transaction<Schema>, caller: Caller, id: string) {
  const looking = lookingOf(deps, caller)
  const found = await findDeletion(trx, looking, id)
  if (!found) return undefined
  await lockForChange(trx, found.project_id)
  return findDeletion(trx, looking, id)
}

const lookingOf = (deps: AppDeps, { userId }: Caller): TrashReader => ({
  userId,
  since: retentionCutoff(deps),
})

const deletionGone = () => notFound('Deletion')

function parentDeleted(deletion: DeletionRecord): AppError {
  const { id, project_deletion, project_title, milestone_deletion, milestone_title } = deletion
  const names = [
    ...(project_deletion !== null && project_deletion !== id ? [`the project “${project_title}”`] : []),
    ...(milestone_deletion !== null && milestone_deletion !== id && milestone_deletion !== project_deletion
      ? [`the milestone “${milestone_title}”`]
      : []),
  ]
  return new AppError(
    'parent_deleted',
    `This ${kindOf(deletion)} cannot come back without ${names.join(' and ')}, deleted later.`,
  )
}

/** Returns a presenter of deletions for people who may restore them. */
const deletionPresenter =
  (days: number) =>
  (row: DeletionRecord): Deletion => ({
    _id: row.id,
    kind: kindOf(row),
    title: row.entry_title ?? row.milestone_title ?? row.project_title,
    project: kindOf(row) === 'project' ? null : { _id: row.project_id, title: row.project_title },
    ...(row.entry_title !== null && row.milestone_title !== null && { milestoneTitle: row.milestone_title }),
    deletedAt: row.deleted_at.toISOString(),
    deletedBy: row.deleted_by_name === null ? null : { name: row.deleted_by_name },
    milestones: row.milestones,
    entries: row.entries + row.own_drafts,
    endsAt: new Date(row.deleted_at.getTime() + days * DAY_MS).toISOString(),
    canDelete: mayPurge(row),
  })

function kindOf({ milestone_id, entry_id }: Pick<DeletionRecord, 'milestone_id' | 'entry_id'>) {
  if (entry_id !== null) return 'entry'
  return milestone_id === null ? 'project' : 'milestone'
}

/** The owner of a project may permanently delete its resources, and the author a draft, which nobody else sees. */
const mayPurge = ({ role, entry_state }: Pick<DeletionRecord, 'role' | 'entry_state'>) =>
  can({ role, isPublic: false }, 'project:delete') || entry_state === 'draft'

type Location = Pick<DeletionRecord, 'project_id' | 'milestone_id' | 'entry_id'>

const presentRestored = ({ project_id, milestone_id, entry_id }: Location): Restored => ({
  project: project_id,
  ...(milestone_id !== null && { milestone: milestone_id }),
  ...(entry_id !== null && { entry: entry_id }),
})
