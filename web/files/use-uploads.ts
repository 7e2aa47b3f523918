import { useSyncExternalStore } from 'react'
import type { Activity, Upload, UploadQueue } from './upload-queue.ts'

/** An upload of this page, if there is one with this id. */
export function useUpload(queue: UploadQueue, id: string): Upload | undefined {
  return useSyncExternalStore(queue.subscribe, () => queue.find(id))
}

/** How the files are doing that were added since all others had arrived. */
export function useActivity(queue: UploadQueue): Activity {
  return useSyncExternalStore(queue.subscribe, queue.readActivity)
}
