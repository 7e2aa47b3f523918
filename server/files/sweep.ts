import type { AppDeps } from '#server/deps.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import { claimUnused, deleteFiles, giveUpAwaited } from './removal-store.ts'
import { allFileKeys } from './storage-keys.ts'

const BATCH = 50
const FILES_PAUSE_MS = 60_000
/** The pause of sweeps that read all records. */
const LONG_PAUSE_MS = 3_600_000

type Deps = Pick<AppDeps, 'db' | 'files' | 'log'>

/**
 * Removes files that were unused for a day from the file store and then from the database, in batches. Ends after the current file
 * if `stop` is aborted. Failed removals are retried some minutes later.
 */
export async function sweepFiles({ db, files, log }: Deps, stop?: AbortSignal): Promise<void> {
  for (;;) {
    const gone: string[] = []
    for (const file of await claimUnused(db, BATCH)) {
      try {
        for (const key of allFileKeys(file)) await files.remove(key)
        gone.push(file.id)
      } catch (error) {
        log.warn({ err: error }, 'a file could not be removed yet')
      }
      if (stop?.aborted) break
    }
    await deleteFiles(db, gone)
    if (gone.length < BATCH) return
  }
}

/** Schedules the removal of unused files, and gives up files that never arrive. */
export const fileSweeps = (deps: Deps): ScheduledTask[] => [
  { name: 'removal of unused files', everyMs: FILES_PAUSE_MS, run: (stop) => sweepFiles(deps, stop) },
  { name: 'search for files that never arrived', everyMs: LONG_PAUSE_MS, run: () => giveUpAwaited(deps.db) },
]
