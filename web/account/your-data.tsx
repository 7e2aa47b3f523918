import { useState } from 'react'
import { ExportDialog } from '#web/export/dialogs.ts'
import { WithHistory } from '#web/export/with-history.tsx'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { DownloadEverything } from './download-everything.tsx'

/** Takes everything of the person out, or leads to where they bring something in. */
export function YourData() {
  const [withHistory, setWithHistory] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <p className="mb-5 text-muted">
        One ZIP archive: your projects as Markdown with their pictures and files, what you wrote in other
        people’s projects, and all of it as JSON for programs. The trash is not included.
      </p>
      <WithHistory className="mb-5" checked={withHistory} onChange={setWithHistory} />
      <div className="flex flex-wrap gap-2.5">
        <DownloadEverything withHistory={withHistory}>Download everything</DownloadEverything>
        <Button {...ExportDialog.preloadProps} onClick={() => setChoosing(true)}>
          Other formats…
        </Button>
        <LinkButton to="/import">Import…</LinkButton>
      </div>
      {isChoosing && (
        <ExportDialog scope="account" title="All my projects" onClose={() => setChoosing(false)} />
      )}
    </>
  )
}
