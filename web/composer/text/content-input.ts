import type { Ref } from 'react'
import { commandFor } from './editor-commands.ts'
import type { Edit, Selected } from './edits.ts'
import type { Finder } from './find/finder.ts'
import { isUrl, pasteUrl } from './link-edits.ts'
import { isFormatted, type Pasted } from './paste/paste-offer.tsx'
import { pasteLines } from './paste-edits.ts'
import type { TabKey } from './tab-key.ts'
import { continueLines, removeMarker } from './text-edits.ts'
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
  /** Returns the names of people to offer after `@`. Not in a plain text area. */
  readMentionable?: () => Promise<readonly string[]>
}

export type ContentInputHandle = TextHandle & {
  /** Closes the insert list, or else lets the next Tab leave a list of the text; returns whether it did either. */
  closeList: () => boolean
  /** Loads the search in the text; null in a plain text area, in which the browser finds everything. */
  finder: () => Promise<Finder> | null
}

type Pressed = Parameters<typeof commandFor>[0]

/** Returns the edit that replaces the default action of a key. `selected` is called only if there may be one. */
export function editForKey(pressed: Pressed, selected: () => Selected, tab: TabKey): Edit | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed
  if (!/^(?:Tab|Shift|Escape)$/.test(key)) tab.reset()
  if (ctrlKey || metaKey || altKey) return commandFor(pressed)?.edit(selected()) ?? null
  if (key === 'Tab') return tab.edit(shiftKey ? -1 : 1, selected)
  if (key === 'Backspace') return removeMarker(selected())
  return key === 'Enter' && !shiftKey ? continueLines(selected()) : null
}

/** Returns the edit that replaces the default action of pasting: a URL over selected words links them. */
export const editForPaste = (pasted: string, selected: () => Selected): Edit | null =>
  isUrl(pasted) ? pasteUrl(selected(), pasted) : pasteLines(selected(), cleaned(pasted))

/** Line breaks of office programs and PDFs: of a line in a paragraph, of a page, and of Unicode. */
const BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** What no text can be saved with: NUL, and halves of characters. */
const UNSTORABLE = /\0|\p{Cs}/gu

/** Returns pasted text with its line breaks as line feeds, and without what cannot be stored. */
export const cleaned = (text: string): string => text.replaceAll(BREAKS, '\n').replaceAll(UNSTORABLE, '')

/** Returns the pasted or dropped files, unless there is text as well, such as the cells of a table. */
export function filesOf(transfer: DataTransfer | null): File[] {
  const files = [...(transfer?.files ?? [])]
  const text = transfer?.getData('text/plain') ?? ''
  return isOnlyNames(text, files) || isOnePicture(transfer, text, files) ? files : []
}

/** Whether a text says no more than the names of the files, as file managers copy them, or nothing. */
function isOnlyNames(text: string, files: readonly { name: string }[]): boolean {
  const names = new Set(files.map(({ name }) => name))
  return text
    .slice(0, NAMES_MAX)
    .split(/[\n\r\0]/)
    .map((line) => line.replaceAll('\uFFFC', '').trim())
    .every((line) => line === '' || names.has(nameIn(line)))
}

const NAMES_MAX = 100_000

/** Returns the name of the file that a line has, or an address of a file leads to. */
function nameIn(line: string): string {
  const [, last = line] = /[\\/]([^\\/]+)$/.exec(line) ?? []
  if (!line.startsWith('file:')) return last
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** Whether a picture was dragged from another page: its text is its address. */
const isOnePicture = (transfer: DataTransfer | null, text: string, [file, ...others]: readonly File[]) =>
  file?.type.startsWith('image/') === true &&
  others.length === 0 &&
  isUrl(text) &&
  /<img[\s>]/i.test(transfer?.getData('text/html') ?? '')

/** Returns the clipboard data that is about to be pasted, if it has formatting that plain text loses. */
export function formattedPaste(transfer: DataTransfer | null, at: number): Pasted | null {
  const text = cleaned(transfer?.getData('text/plain') ?? '')
  const html = transfer?.getData('text/html') ?? ''
  return text.trim() !== '' && isFormatted(html) ? { text, at, html } : null
}
