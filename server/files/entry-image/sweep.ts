import type { AppDeps } from '#server/deps.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import { imageKeys } from './service.ts'
import { claimRemovable, deleteImages } from './store.ts'

const BATCH = 50
const PAUSE_MS = 15_000

type Deps = Pick<AppDeps, 'db' | 'files' | 'log'>

/** Removes the files of images that no entry refers to. What fails is tried again some minutes later. */
export async function sweepImages({ db, files, log }: Deps): Promise<void> {
  for (;;) {
    const ids = await claimRemovable(db, BATCH)
    const gone: string[] = []
    for (const id of ids) {
      try {
        for (const key of imageKeys(id)) await files.remove(key)
        gone.push(id)
      } catch (error) {
        log.warn({ err: error }, 'the files of an image could not be removed yet')
      }
    }
    await deleteImages(db, gone)
    if (gone.length < BATCH) return
  }
}

/** Removes the files of unused images at regular intervals. */
export const imageSweep = (deps: Deps): ScheduledTask => ({
  name: 'removal of unused images',
  everyMs: PAUSE_MS,
  run: () => sweepImages(deps),
})
