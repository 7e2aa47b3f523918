import { useEffect, useSyncExternalStore } from 'react'
import type { Thumbnails } from './thumbnails.ts'
import type { Activity, Upload } from './upload.ts'
import type { UploadQueue } from './upload-queue.ts'
import { kindByType } from './validate-files.ts'

/** Returns the upload of this page with this id, if any. */
export function useUpload(queue: UploadQueue, id: string): Upload | undefined {
  return useSyncExternalStore(queue.subscribe, () => queue.find(id))
}

/** Returns the progress of the files that were added since all others had arrived. */
export function useActivity(queue: UploadQueue): Activity {
  return useSyncExternalStore(queue.subscribe, queue.readActivity)
}

/** Returns the number of files that wait in this browser until the person tries again. */
export const useKept = (queue: UploadQueue): number => useSyncExternalStore(queue.subscribe, queue.readKept)

/** Returns the URL of the thumbnail of a picture that this page uploads, once it is drawn. */
export function useThumbnail(
  { queue, thumbnails }: { queue: UploadQueue; thumbnails: Thumbnails },
  id: string,
): string | undefined {
  const bytes = useUpload(queue, id)?.bytes
  useEffect(() => {
    if (bytes && kindByType(bytes.type) === 'image') thumbnails.add(id, bytes)
  }, [thumbnails, id, bytes])
  return useSyncExternalStore(thumbnails.subscribe, () => thumbnails.find(id))
}
