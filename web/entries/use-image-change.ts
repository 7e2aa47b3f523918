import { useState } from 'react'
import { NOT_AN_IMAGE, refusalOf } from './image-file.ts'
import type { ImageChange } from './written.ts'

export type ImageControl = ReturnType<typeof useImageChange>

/** What the editor's person wants of the entry's image, and why the last file they chose cannot be it. */
export function useImageChange() {
  const [change, setChange] = useState<ImageChange>(null)
  const [problem, setProblem] = useState<string | null>(null)

  function become(next: ImageChange, why: string | null = null) {
    setChange(next)
    setProblem(why)
  }

  /** Takes a file, unless it cannot be an image: then what was chosen before stays. */
  function choose(file: File) {
    const refusal = refusalOf(file)
    if (refusal === null) become(file)
    else setProblem(refusal)
  }

  return {
    change,
    problem,
    choose,
    remove: () => become('remove'),
    undo: () => become(null),
    /** The browser cannot show the chosen file, whatever it is called. */
    refuse: () => become(null, NOT_AN_IMAGE),
  }
}
