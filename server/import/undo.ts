import type { Transaction } from 'kysely'
import type { ImportReport } from '#contract/imports.ts'
import { changeProject } from '#server/change-project.ts'
import type { Schema } from '#server/database/rows.ts'
import { removeUntouched } from '#server/entries/importing.ts'
import { giveUpFiles } from '#server/files/importing.ts'
import { removeImportedMilestones } from '#server/milestones/importing.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { removeImportedProjects } from '#server/projects/importing.ts'
import type { RunDeps } from './creating/progress.ts'
import { removeItems } from './creating/store.ts'
import { listItems, listNamed } from './item-store.ts'
import type { Claimed } from './store.ts'

const ORDER = ['entry', 'file', 'milestone', 'project'] as const
type Kind = (typeof ORDER)[number]

/** How many things are deleted in one transaction: others who write in the project wait for it. */
const AT_ONCE = 20

type Undoing = Pick<Claimed, 'id' | 'user_id' | 'created_at'>

/**
 * Deletes what an import has created, except what somebody has changed since and what holds it, and what its person may not change
 * any more. It can be interrupted and run again. Returns the titles of what is kept.
 */
export async function undoItems(
  deps: RunDeps,
  undoing: Undoing,
  advance: (done: number) => Promise<void>,
): Promise<ImportReport['kept']> {
  const items = await listItems(deps.db, undoing.id)
  const kept: string[] = []
  let done = 0
  for (const kind of ORDER) {
    const ids = items.filter((item) => item.kind === kind).map(({ target_id: id }) => id)
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE)
      const titles = await undoSome(deps, undoing, kind, some)
      if (kind !== 'file') kept.push(...titles)
      done += some.length
      await advance(done)
    }
  }
  return kept
}

/** Deletes things of one kind, in a transaction for each project. Returns the titles of what is kept. */
async function undoSome(deps: RunDeps, undoing: Undoing, kind: Kind, ids: string[]): Promise<string[]> {
  const { id: importId, user_id: userId, created_at: importedAt } = undoing
  const caller = { userId, sessionId: importId }
  const action = kind === 'project' ? 'project:delete' : 'content:edit'
  const named = await listNamed(deps.db, kind, ids)
  const present = new Set(named.map(({ id }) => id))
  const missing = ids.filter((id) => !present.has(id))
  await removeItems(deps.db, importId, missing)
  const kept: string[] = []
  for (const [projectId, inProject] of Map.groupBy(named, ({ project_id: project }) => project)) {
    const wanted = inProject.map(({ id }) => id)
    const removed = await changeProject(deps, caller, action, { projectId }, async (trx) => {
      const gone = await removers[kind](trx, wanted, importedAt)
      await removeItems(trx, importId, gone)
      return gone
    }).catch(noneIfRefused)
    kept.push(...inProject.filter(({ id }) => !removed.includes(id)).map(({ title }) => title))
  }
  return kept
}

function noneIfRefused(error: unknown): string[] {
  if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return []
  throw error
}

/** How things of each kind are deleted. Returns those that are gone. */
const removers: Record<
  Kind,
  (trx: Transaction<Schema>, ids: string[], importedAt: Date) => Promise<string[]>
> = {
  entry: removeUntouched,
  file: giveUpFiles,
  milestone: removeImportedMilestones,
  project: removeImportedProjects,
}
