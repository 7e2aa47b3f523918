import type { ReactNode } from 'react'
import type { ProjectFile } from '#contract/files.ts'
import type { Upload } from '#web/files/upload.ts'
import '#web/files/upload-progress.css'

type UploadOverlayProps = {
  upload: Upload | undefined
  stored: ProjectFile | null | undefined
  name: string
}

/** The progress of an upload on its picture, or what is wrong with it; nothing once it has arrived. */
export function UploadOverlay({ upload, stored, name }: UploadOverlayProps) {
  const status = upload?.status
  if (status === 'sending' || status === 'waiting')
    return (
      <progress
        aria-label={`Uploading ${name}`}
        max={100}
        value={Math.round((upload?.sent ?? 0) * 100)}
        className="upload-progress surface-progress"
      />
    )
  if (status === 'refused') return <Note isProblem>{upload?.problem}</Note>
  if (status === 'retrying')
    return <Note>{upload?.problem ?? 'The upload was interrupted and starts again soon.'}</Note>
  if (upload?.file?.notice) return <Note>{upload.file.notice}</Note>
  if (stored === null) return <Note isProblem>This file is no longer there.</Note>
  if (!upload && stored?.state === 'waiting')
    return <Note>Not uploaded yet: it waits in the browser where it was added.</Note>
  return null
}

function Note({ isProblem = false, children }: { isProblem?: boolean; children: ReactNode }) {
  return <p className={isProblem ? 'surface-note text-danger' : 'surface-note text-muted'}>{children}</p>
}
