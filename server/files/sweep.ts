import type { AppDeps } from '#server/deps.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import { imageKeys } from './entry-image/service.ts'
import { claimRemovable, deleteImages } from './entry-image/store.ts'
import { claimUnused, deleteFiles, giveUpAwaited } from './removal-store.ts'
import { allFileKeys } from './storage-keys.ts'

const BATCH = 50
const IMAGES_PAUSE_MS = 15_000
const FILES_PAUSE_MS = 60_000
/** The pause of sweeps that read all records. */
const LONG_PAUSE_MS = 3_600_000

type Deps = Pick<AppDeps, 'db' | 'files' | 'log'>

type Unused<Item> = {
  claim: () => Promise<Item[]>
  keysOf: (item: Item) => string[]
  forget: (gone: Item[]) => Promise<void>
  stop: AbortSignal | undefined
}

/** Removes files that were unused for a day. Failed removals are retried some minutes later. */
export function sweepFiles({ db, ...deps }: Deps, stop?: AbortSignal): Promise<void> {
  return sweep(deps, {
    stop,
    claim: () => claimUnused(db, BATCH),
    keysOf: allFileKeys,
    forget: (gone) =>
      deleteFiles(
        db,
        gone.map(({ id }) => id),
      ),
  })
}

/** Removes images that no entry refers to. Failed removals are retried some minutes later. */
export function sweepImages({ db, ...deps }: Deps, stop?: AbortSignal): Promise<void> {
  return sweep(deps, {
    stop,
    claim: () => claimRemovable(db, BATCH),
    keysOf: imageKeys,
    forget: (gone) => deleteImages(db, gone),
  })
}

/** Removes unused files from the file store and then from the database, in batches. Ends after the current file if `stop` is aborted. */
async function sweep<Item>(
  { files, log }: Pick<Deps, 'files' | 'log'>,
  { claim, keysOf, forget, stop }: Unused<Item>,
): Promise<void> {
  for (;;) {
    const gone: Item[] = []
    for (const item of await claim()) {
      try {
        for (const key of keysOf(item)) await files.remove(key)
        gone.push(item)
      } catch (error) {
        log.warn({ err: error }, 'a file could not be removed yet')
      }
      if (stop?.aborted) break
    }
    await forget(gone)
    if (gone.length < BATCH) return
  }
}

/** Schedules the removal of unused files and images, and gives up files that never arrive. */
export const fileSweeps = (deps: Deps): ScheduledTask[] => [
  { name: 'removal of unused images', everyMs: IMAGES_PAUSE_MS, run: (stop) => sweepImages(deps, stop) },
  { name: 'removal of unused files', everyMs: FILES_PAUSE_MS, run: (stop) => sweepFiles(deps, stop) },
  { name: 'search for files that never arrived', everyMs: LONG_PAUSE_MS, run: () => giveUpAwaited(deps.db) },
]
