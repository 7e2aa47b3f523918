import type { AppDeps } from '#server/deps.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import { allFileKeys } from './storage-keys.ts'
import { claimUnused, deleteFiles } from './store.ts'

const BATCH = 50
const PAUSE_MS = 60_000

type Deps = Pick<AppDeps, 'db' | 'files' | 'log'>

/** Removes the files that nothing has used for a day. What fails is tried again some minutes later. */
export async function sweepFiles({ db, files, log }: Deps): Promise<void> {
  for (;;) {
    const claimed = await claimUnused(db, BATCH)
    const gone: string[] = []
    for (const file of claimed) {
      try {
        for (const key of allFileKeys(file)) await files.remove(key)
        gone.push(file.id)
      } catch (error) {
        log.warn({ err: error }, 'a file could not be removed yet')
      }
    }
    await deleteFiles(db, gone)
    if (gone.length < BATCH) return
  }
}

/** Removes unused files at regular intervals. */
export const fileSweep = (deps: Deps): ScheduledTask => ({
  name: 'removal of unused files',
  everyMs: PAUSE_MS,
  run: () => sweepFiles(deps),
})
