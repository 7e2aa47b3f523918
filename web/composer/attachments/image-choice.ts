import { useRef, useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import { IMAGE_BYTES_MAX, IMAGE_SIZE_MAX } from '#contract/parts/wire.ts'
import { coverOf } from '#web/composer/drafts/entry-draft.ts'
import type { EntryFiles } from './entry-files.ts'

export const NOT_AN_IMAGE = 'This file is not an image that can be shown: JPEG, PNG, WebP, GIF or AVIF.'
export const TOO_LARGE = `The image is too large: it may have at most ${IMAGE_SIZE_MAX}.`

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

/** Returns why a file cannot be the image of an entry, or null if it can. The server checks files of unknown type. */
export function imageError({ type, size }: Blob): string | null {
  if (type !== '' && !TYPES.includes(type)) return NOT_AN_IMAGE
  return size > IMAGE_BYTES_MAX ? TOO_LARGE : null
}

/** Returns the id of a cover that is a file; null for the default and for none. */
export const fileOfCover = (cover: string | null) => (cover === DEFAULT_COVER ? null : cover)

/**
 * The choice of the cover of an entry: a file, null for none, or the first picture by default. `stored`: what its draft has chosen;
 * absent if nothing.
 */
export function useCoverChoice(
  files: EntryFiles | undefined,
  opened: Entry | undefined,
  stored: string | null | undefined,
) {
  const [saved, setSaved] = useState(() => coverOf(opened))
  const [cover, show] = useState(stored === undefined ? saved : stored)
  /** Also for a save that waits for the id of a cover. */
  const latest = useRef(cover)
  const [problem, setProblem] = useState<string | null>(null)

  function set(next: string | null) {
    latest.current = next
    show(next)
  }

  function replace(next: string | null, why: string | null = null) {
    files?.giveUpCover()
    set(next)
    setProblem(why)
  }

  return {
    cover,
    savedCover: saved,
    /** Why the last file was refused. */
    problem,
    set,
    /** The choice, if it was changed. */
    changed: cover === saved ? undefined : cover,
    /** The field to send with the text. */
    fields: () => (latest.current === saved ? {} : { coverFile: latest.current }),
    /** Continues from the cover of a later saved version, with the chosen one if `keepsChosen`. */
    rebase(theirs: string | null, keepsChosen: boolean) {
      setSaved(theirs)
      if (!keepsChosen || cover === saved) set(theirs)
    },
    /** Uploads a file of this device as the cover, unless it is refused; the earlier choice then remains. */
    choose(file: File) {
      const error = imageError(file)
      setProblem(error)
      if (error === null) void files?.takeCover(file, (id) => set(id ?? saved))
    },
    remove: () => replace(fileOfCover(saved) === null ? saved : DEFAULT_COVER),
    undo: () => replace(saved),
    /** Refuses the chosen file because the browser cannot show it. */
    refuse: () => replace(saved, NOT_AN_IMAGE),
  }
}

export type CoverChoice = ReturnType<typeof useCoverChoice>
