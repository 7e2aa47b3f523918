import type { Transaction } from 'kysely'
import type { ImportReport } from '#contract/imports.ts'
import { changeProjects } from '#server/change-project.ts'
import type { Schema } from '#server/database/rows.ts'
import { isUntouched, removeImportedEntry } from '#server/entries/importing.ts'
import { giveUpImported } from '#server/files/importing.ts'
import { removeImportedMilestone } from '#server/milestones/importing.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { removeImportedProject } from '#server/projects/importing.ts'
import type { RunDeps } from './creating/progress.ts'
import { removeItem } from './creating/store.ts'
import { listItems, listNamed } from './item-store.ts'
import type { Claimed } from './store.ts'

const ORDER = ['entry', 'file', 'milestone', 'project'] as const

/**
 * Deletes what an import has created, except what somebody has changed since and what holds it, and what its person may not change
 * any more. Returns the titles of what is kept.
 */
export async function undoItems(
  deps: RunDeps,
  { id: importId, user_id: userId, created_at: importedAt }: Pick<Claimed, 'id' | 'user_id' | 'created_at'>,
  advance: (done: number) => Promise<void>,
): Promise<ImportReport['kept']> {
  const caller = { userId, sessionId: importId }
  const items = (await listItems(deps.db, importId)).toSorted(
    (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind),
  )
  const kept: string[] = []
  let done = 0
  for (const { kind, target_id: id } of items) {
    const [named] = await listNamed(deps.db, kind, [id])
    if (named === undefined) await removeItem(deps.db, importId, id)
    else {
      const action = kind === 'project' ? 'project:delete' : 'content:edit'
      const ref = { projectId: named.project_id }
      const isRemoved = await changeProjects(deps, caller, action, [ref], async (trx, _access, publish) => {
        const removed = await removers[kind](trx, id, importedAt)
        if (removed) await removeItem(trx, importId, id)
        if (done % 50 === 0) publish({ project: named.project_id })
        return removed
      }).catch(keptIfRefused)
      if (!isRemoved && kind !== 'file') kept.push(named.title)
    }
    done += 1
    await advance(done)
  }
  return kept
}

function keptIfRefused(error: unknown): false {
  if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) return false
  throw error
}

type Remove = (trx: Transaction<Schema>, id: string, importedAt: Date) => Promise<boolean>

const removers: Record<(typeof ORDER)[number], Remove> = {
  async entry(trx, id, importedAt) {
    const untouched = await isUntouched(trx, id, importedAt)
    if (untouched) await removeImportedEntry(trx, id)
    return untouched !== false
  },
  file: giveUpImported,
  milestone: removeImportedMilestone,
  project: removeImportedProject,
}
