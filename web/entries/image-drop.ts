import type { ClipboardEvent, DragEvent } from 'react'
import { pastedFile } from './image-file.ts'

/** Makes a form take the image that is pasted or dropped anywhere into it. */
export function imageDrop(choose: (file: File) => void) {
  function take(event: ClipboardEvent | DragEvent, file: File | undefined) {
    if (!file) return
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
