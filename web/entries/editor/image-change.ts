import type { ClipboardEvent, DragEvent } from 'react'
import { useState } from 'react'
import type { Entry, EntryFields } from '#contract/entries.ts'
import { IMAGE_BYTES_MAX, IMAGE_SIZE_MAX } from '#contract/wire.ts'
import { ApiError, currentOf } from '#web/api/api-error.ts'
import type { EntryInput } from '#web/entries/optimistic-entries.ts'

/** The change of the image: a new file, its removal, or none. */
export type ImageChange = File | 'remove' | null

export function withImage(fields: EntryFields, change: ImageChange): EntryInput {
  if (change === null) return fields
  return change === 'remove' ? { ...fields, removeImage: true } : { ...fields, image: change }
}

export const NOT_AN_IMAGE = 'This file is not an image that can be shown: JPEG, PNG, WebP, GIF or AVIF.'
export const TOO_LARGE = `The image is too large: it may have at most ${IMAGE_SIZE_MAX}.`

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

/** Returns why a file cannot be the image of an entry, or null if it can. The server checks files of unknown type. */
export function imageError({ type, size }: Blob): string | null {
  if (type !== '' && !TYPES.includes(type)) return NOT_AN_IMAGE
  return size > IMAGE_BYTES_MAX ? TOO_LARGE : null
}

export const IMAGE_CHANGED =
  'The image of this entry was changed elsewhere in the meantime. Save again to go on with your choice.'

/**
 * Returns a function that checks the error of a save: it returns the error to show instead if the save would have overwritten an
 * image that was saved after the entry was opened. It reports each such image once, because images cannot be merged. A stale new
 * entry was created by an earlier attempt, whose image is this one; the conflict of its texts must be shown.
 */
export function watchImage(opened: Entry | undefined) {
  let known = imageOf(opened)
  return (error: unknown, change: ImageChange): ApiError | null => {
    const current = opened && (currentOf(error) as Entry | null)
    if (!current || imageOf(current) === known) return null
    known = imageOf(current)
    const isOverwriting = change === 'remove' ? known !== undefined : change !== null
    return isOverwriting ? new ApiError(412, 'stale', IMAGE_CHANGED) : null
  }
}

/** The rest of the URL of a private image depends on the reader and the time. */
const imageOf = (entry: Entry | undefined) => entry?.imageURL?.split('?', 1)[0]

/** Returns the pasted file, unless there is text as well, such as the cells of a table. */
export function pastedFile(pasted: DataTransfer): File | undefined {
  return pasted.getData('text/plain') === '' ? pasted.files[0] : undefined
}

/** The pending change of the entry's image, and why the last chosen file was refused. */
export function useImageChange() {
  const [change, setChange] = useState<ImageChange>(null)
  const [problem, setProblem] = useState<string | null>(null)

  function set(next: ImageChange, why: string | null = null) {
    setChange(next)
    setProblem(why)
  }

  /** Uses a file as the image, unless it is refused; the earlier choice then remains. */
  function choose(file: File) {
    const error = imageError(file)
    if (error === null) set(file)
    else setProblem(error)
  }

  return {
    change,
    problem,
    choose,
    remove: () => set('remove'),
    undo: () => set(null),
    /** Refuses the chosen file because the browser cannot show it. */
    refuse: () => set(null, NOT_AN_IMAGE),
  }
}

export type ImageControl = ReturnType<typeof useImageChange>

/** Returns the event handlers of a form for an image that is pasted or dropped anywhere in it. */
export function imageDrop(choose: (file: File) => void) {
  function take(event: ClipboardEvent | DragEvent, file: File | undefined) {
    // Files that are pasted into the content or dropped on it belong to the text.
    if (!file || event.isDefaultPrevented()) return
    event.preventDefault()
    choose(file)
  }

  return {
    onPaste: (event: ClipboardEvent) => take(event, pastedFile(event.clipboardData)),
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    },
    onDrop: (event: DragEvent) => take(event, event.dataTransfer.files[0]),
  }
}
