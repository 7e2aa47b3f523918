import type { Ref } from 'react'
import { commandFor } from './editor-commands.ts'
import { isFormatted, type Pasted } from './paste/paste-offer.tsx'
import { continueLines, type Edit, isUrl, makeLink, type Selected } from './text-edits.ts'
import type { EditorExtension, TextHandle } from './text-handle.ts'

/** The input of the content, CodeMirror or a plain text area. It is uncontrolled and reports changes. */
export type ContentInputProps = {
  ref: Ref<ContentInputHandle>
  /** Returns the initial text, which is read again when `resets` changes. */
  read: () => string
  resets: number
  onChange: (text: string) => void
  onBlur: () => void
  /** Called after pasting text whose clipboard data has formatting. */
  onPasted: (pasted: Pasted) => void
  readOnly: boolean
  /** The attributes for its accessible name and description. */
  attributes: { [name: string]: string }
  extension?: EditorExtension | undefined
}

export type ContentInputHandle = TextHandle & {
  /** Closes the insert list; returns whether it was open. */
  closeList: () => boolean
}

type Pressed = Parameters<typeof commandFor>[0]

/** Returns the edit that replaces the default action of a key. `selected` is called only if there may be one. */
export function editForKey(pressed: Pressed, selected: () => Selected): Edit | null {
  const isPlainEnter =
    pressed.key === 'Enter' && !pressed.ctrlKey && !pressed.metaKey && !pressed.shiftKey && !pressed.altKey
  return isPlainEnter ? continueLines(selected()) : (commandFor(pressed)?.edit(selected()) ?? null)
}

/** Returns the edit that replaces the default action of pasting: a URL over selected words links them. */
export function editForPaste(pasted: string, selected: () => Selected): Edit | null {
  if (!isUrl(pasted)) return null
  const { text, start, end } = selected()
  const words = text.slice(start, end)
  return words.trim() === '' || isUrl(words) ? null : makeLink({ text, start, end }, pasted.trim())
}

/** Returns the pasted or dropped files, unless there is text as well, such as the cells of a table. */
export function filesOf(transfer: DataTransfer | null): File[] {
  return transfer && transfer.getData('text/plain') === '' ? [...transfer.files] : []
}

/** Returns the clipboard data that is about to be pasted, if it has formatting that plain text loses. */
export function formattedPaste(transfer: DataTransfer | null, at: number): Pasted | null {
  const text = transfer?.getData('text/plain').replaceAll(/\r\n?/g, '\n') ?? ''
  const html = transfer?.getData('text/html') ?? ''
  return text.trim() !== '' && isFormatted(html) ? { text, at, html } : null
}
