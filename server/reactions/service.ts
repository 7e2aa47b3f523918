import type { Reaction } from '#contract/reactions.ts'
import type { AppDeps } from '#server/deps.ts'
import type { ExportedProject } from '#server/feature-subjects.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { findReactionsIn, listReactionsOf } from './store.ts'

type EntryRef = { milestoneId: string; entryId: string }

/** Returns how many readers reacted to a published entry. Throws `not_found`. */
export async function readReactions(
  { db }: AppDeps,
  caller: Caller | null,
  ref: EntryRef,
): Promise<Reaction[]> {
  await requireAccess(db, caller, 'project:view', { milestoneId: ref.milestoneId })
  const reactions = await findReactionsIn(db, ref)
  if (!reactions) throw notFound('Entry')
  return reactions
}

/** Returns the reactions to the entries of an own project for the download of all data. */
export async function exportReactions(
  { db }: AppDeps,
  caller: Caller,
  { projectId, isOwn }: ExportedProject,
): Promise<{ reactions?: (Reaction & { entry: string })[] }> {
  if (!isOwn) return {}
  await requireAccess(db, caller, 'project:view', { projectId })
  return { reactions: await listReactionsOf(db, projectId) }
}
