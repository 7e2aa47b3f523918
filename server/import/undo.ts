import type { ImportReport } from '#contract/imports.ts'
import { isUntouched, removeImportedEntry } from '#server/entries/importing.ts'
import { giveUpImported } from '#server/files/importing.ts'
import { removeImportedMilestone } from '#server/milestones/importing.ts'
import { lockForChange } from '#server/permissions/access.ts'
import { transact } from '#server/platform/transact.ts'
import { removeImportedProject } from '#server/projects/importing.ts'
import type { RunDeps } from './run.ts'
import { listItems, listNamed, removeItem } from './store.ts'

const ORDER = ['entry', 'file', 'milestone', 'project'] as const

/** Deletes what an import has created, except what somebody has changed since and what holds it. Returns the titles of what is kept. */
export async function undoItems(
  deps: RunDeps,
  importId: string,
  advance: (done: number) => Promise<void>,
): Promise<ImportReport['kept']> {
  const items = (await listItems(deps.db, importId)).toSorted(
    (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind),
  )
  const kept: string[] = []
  let done = 0
  for (const { kind, target_id: id } of items) {
    const [named] = await listNamed(deps.db, kind, [id])
    const isGone = await transact(deps, async (trx, publish) => {
      if (named) await lockForChange(trx, named.project_id)
      const removed = !named || (await removers[kind](trx, id))
      if (removed) await removeItem(trx, importId, id)
      if (named && done % 50 === 0) publish({ project: named.project_id })
      return removed
    })
    if (!isGone && named && kind !== 'file') kept.push(named.title)
    done += 1
    await advance(done)
  }
  return kept
}

type Remove = (trx: Parameters<Parameters<typeof transact>[1]>[0], id: string) => Promise<boolean>

const removers: Record<(typeof ORDER)[number], Remove> = {
  async entry(trx, id) {
    const untouched = await isUntouched(trx, id)
    if (untouched) await removeImportedEntry(trx, id)
    return untouched !== false
  },
  file: giveUpImported,
  milestone: removeImportedMilestone,
  project: removeImportedProject,
}
