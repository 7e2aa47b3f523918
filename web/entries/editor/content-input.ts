import type { Ref } from 'react'
import { commandFor } from './editor-commands.ts'
import { isFormatted, type Pasted } from './paste/paste-offer.tsx'
import { continueLines, type Edit, isUrl, makeLink, type Selected } from './text-edits.ts'
import type { EditorExtension, TextHandle } from './text-handle.ts'

/** The text box of the content, CodeMirror or a plain text area. It holds the text itself and reports changes. */
export type ContentInputProps = {
  ref: Ref<ContentInputHandle>
  /** Returns the text that it starts with, and takes again when `resets` changes. */
  read: () => string
  resets: number
  onChange: (text: string) => void
  onBlur: () => void
  /** Called when text was pasted that has formatting on the clipboard. */
  onPasted: (pasted: Pasted) => void
  readOnly: boolean
  /** The attributes that name and describe it. */
  attributes: { [name: string]: string }
  extension?: EditorExtension | undefined
}

export type ContentInputHandle = TextHandle & {
  /** Closes the list of things to insert; returns whether it was open. */
  closeList: () => boolean
}

type Pressed = Parameters<typeof commandFor>[0]

/** Returns the edit that a key makes instead of what it does by itself. `selected` is called only if it might. */
export function editForKey(pressed: Pressed, selected: () => Selected): Edit | null {
  const isPlainEnter =
    pressed.key === 'Enter' && !pressed.ctrlKey && !pressed.metaKey && !pressed.shiftKey && !pressed.altKey
  return isPlainEnter ? continueLines(selected()) : (commandFor(pressed)?.edit(selected()) ?? null)
}

/** Returns the edit that pasting makes instead of inserting the text: an address over selected words links them. */
export function editForPaste(pasted: string, selected: () => Selected): Edit | null {
  if (!isUrl(pasted)) return null
  const { text, start, end } = selected()
  const words = text.slice(start, end)
  return words.trim() === '' || isUrl(words) ? null : makeLink({ text, start, end }, pasted.trim())
}

/** Returns the files that were pasted or dropped, unless there is text as well: then that is wanted (the cells of a table). */
export function filesOf(transfer: DataTransfer | null): File[] {
  return transfer && transfer.getData('text/plain') === '' ? [...transfer.files] : []
}

/** Returns what is about to be pasted, if it has formatting that plain text loses. */
export function formattedPaste(transfer: DataTransfer | null, at: number): Pasted | null {
  const text = transfer?.getData('text/plain').replaceAll(/\r\n?/g, '\n') ?? ''
  const html = transfer?.getData('text/html') ?? ''
  return text.trim() !== '' && isFormatted(html) ? { text, at, html } : null
}
