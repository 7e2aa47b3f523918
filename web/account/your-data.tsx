import { useState } from 'react'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/field.tsx'
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
      <Checkbox
        className="mb-5"
        label="With earlier versions"
        hint="What entries said before, each version as a text."
        checked={withHistory}
        onChange={({ target }) => setWithHistory(target.checked)}
      />
      <div className="flex flex-wrap gap-2.5">
        <DownloadEverything withHistory={withHistory}>Download everything</DownloadEverything>
        <LinkButton to="/import">Import…</LinkButton>
      </div>
    </>
  )
}
