import { type ComponentType, useEffect, useRef, useState } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { mayHoldUploads, whenUploadsBegin } from './pending.ts'

type Status = ComponentType<{ userId: string }>

/**
 * Resumes the uploads of earlier pages of this person, and shows their progress on every page. Its code is loaded once there is
 * something to upload.
 */
export function Uploads() {
  const { user, status, hasEnded } = useSession()
  const userId = user?._id
  const [Status, setStatus] = useState<Status>()
  const previous = useRef<string>(undefined)

  useEffect(() => {
    if (userId === undefined) return undefined
    const ended = new AbortController()
    const load = () =>
      void import('./upload-status.tsx').then(
        ({ UploadStatus }) => setStatus(() => UploadStatus),
        // oxlint-disable-next-line no-console -- uploads are resumed by the next page
        (error: unknown) => console.warn(error),
      )
    whenUploadsBegin(load, ended.signal)
    if (mayHoldUploads()) load()
    return () => ended.abort()
  }, [userId])

  useEffect(() => {
    const before = previous.current
    previous.current = userId
    if (before === undefined || before === userId) return
    const isForgotten = userId !== undefined || (status === 'signed-out' && !hasEnded)
    if (Status || mayHoldUploads()) void endUploadsOf(before, isForgotten)
  }, [userId, status, hasEnded, Status])

  return Status && userId !== undefined ? <Status userId={userId} /> : null
}

async function endUploadsOf(userId: string, isForgotten: boolean) {
  const { endUploads } = await import('./page-uploads.ts')
  const unsent = await endUploads(userId, isForgotten)
  if (unsent > 0)
    toast.info(
      unsent === 1
        ? 'One file had not been uploaded yet. It was removed from this browser.'
        : `${unsent} files had not been uploaded yet. They were removed from this browser.`,
    )
}
