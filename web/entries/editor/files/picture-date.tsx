import { useSyncExternalStore } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { EntryFields } from '#contract/entries.ts'
import type { EntryText } from '#web/entries/editor/entry-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import type { EntryFiles } from './entry-files.ts'
import { referredIds } from './file-text.ts'
import { useStoredFiles } from './files-in-text.tsx'

type PictureDateProps = {
  files: EntryFiles
  control: Control<EntryText, unknown, EntryFields>
  /** The day that the entry has. */
  day: string
  onUse: (day: string) => void
  readOnly: boolean
}

const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Offers the day on which the first dated picture of the text was taken, if the entry has another. */
export function PictureDate({ files, control, day, onUse, readOnly }: PictureDateProps) {
  const content = useWatch({ control, name: 'content' })
  const stored = useStoredFiles(files, content)
  const taken = useSyncExternalStore(files.queue.subscribe, () =>
    referredIds(content)
      .map((id) => (files.queue.find(id)?.file ?? stored.get(id))?.takenAt)
      .find((takenAt) => takenAt !== undefined),
  )
  const dayTaken = taken?.slice(0, 10)
  if (dayTaken === undefined || dayTaken === day || readOnly) return null
  return (
    <div className="-mt-3 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      The picture was taken on another day.
      <Button size="sm" onClick={() => onUse(dayTaken)}>
        Use {written.format(new Date(dayTaken))}
      </Button>
    </div>
  )
}
