import { useState } from 'react'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import { IMAGE_BYTES_MAX, IMAGE_SIZE_MAX } from '#contract/parts/wire.ts'
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

type Choice = { cover: string | null; savedCover: string | null; onCover: (cover: string | null) => void }

/** Chooses a file of this device as the cover of an entry. `problem`: why the last one was refused. */
export function useImageChoice(files: EntryFiles | undefined, { cover, savedCover, onCover }: Choice) {
  const [problem, setProblem] = useState<string | null>(null)

  function set(next: string | null, why: string | null = null) {
    files?.giveUpCover()
    onCover(next)
    setProblem(why)
  }

  /** Uploads a file as the cover, unless it is refused; the earlier choice then remains. */
  function choose(file: File) {
    const error = imageError(file)
    setProblem(error)
    if (error === null) void files?.takeCover(file, (id) => onCover(id ?? savedCover))
  }

  return {
    cover,
    savedCover,
    problem,
    choose,
    remove: () => set(fileOfCover(savedCover) === null ? savedCover : DEFAULT_COVER),
    undo: () => set(savedCover),
    /** Refuses the chosen file because the browser cannot show it. */
    refuse: () => set(savedCover, NOT_AN_IMAGE),
  }
}

export type ImageChoice = ReturnType<typeof useImageChoice>
