import { useState } from 'react'
import { WithHistory } from '#web/export/with-history.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { DownloadEverything } from './download-everything.tsx'

/** Takes everything of the person out, or leads to where they bring something in. */
export function YourData() {
  const [withHistory, setWithHistory] = useState(false)
  return (
    <>
      <p className="mb-5 text-muted">
        One ZIP archive: your projects as Markdown with their pictures and files, what you wrote in other
        people’s projects, and all of it as JSON for programs. The trash is not included.
      </p>
      <WithHistory className="mb-5" checked={withHistory} onChange={setWithHistory} />
      <div className="flex flex-wrap gap-2.5">
        <DownloadEverything withHistory={withHistory}>Download everything</DownloadEverything>
        <LinkButton to="/import">Import…</LinkButton>
      </div>
    </>
  )
}
