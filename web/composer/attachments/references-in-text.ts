import type { Edit, Selected } from '#web/composer/text/edits.ts'
import type { TextHandle } from '#web/composer/text/text-handle.ts'
import { type FileReference, fileReferences } from '#web/files/file-references.ts'
import type { Upload } from '#web/files/upload.ts'
import { kindByType } from '#web/files/validate-files.ts'
import { addedText, insertReferences, placeAfterTyping } from './file-text.ts'
import type { Surface } from './surface/surface.ts'

type Change = (text: string, found: FileReference) => { from: number; to: number; insert: string } | null

/** Changes the references to files in a text: through the widgets of the editor, or in a plain text area, which has none. */
export class ReferencesInText {
  readonly #surface: Surface
  /** The text that files were added to last, or the plain text area. */
  plain: TextHandle | null = null

  constructor(surface: Surface) {
    this.#surface = surface
  }

  /** Inserts references to files where they were added: `before` is the text of then. `key`: the place that the widgets hold. */
  insert(key: number, files: readonly Upload[], text: TextHandle, before: Selected): Promise<void> | void {
    if (files.length === 0) return
    const references = addedText(files.map(({ id, name, type }) => ({ id, name, kind: kindByType(type) })))
    if (this.#surface.widgets) return this.#surface.widgets.insertAt(key, references)
    const { text: now, start, end } = text.selected()
    const at = placeAfterTyping(before, now) ?? end
    const edit = insertReferences({ text: now, start: at, end: at }, references)
    const shift = edit.insert.length - (edit.to - edit.from)
    const isBelow = start > edit.to || start > at
    applyUnfocused(text, isBelow ? { ...edit, start: start + shift, end: end + shift } : edit)
  }

  /** Changes one reference to a file. Returns whether there was anything to change. */
  edit(id: string, index: number, change: Change): boolean {
    const { widgets } = this.#surface
    const text = (widgets ?? this.plain)?.selected().text ?? ''
    const found = fileReferences(text).filter((reference) => reference.id === id)[index]
    const edit = found && change(text, found)
    if (!edit) return false
    const caret = edit.from + edit.insert.length
    if (widgets) widgets.change(edit, 'input.files')
    else if (this.plain) applyUnfocused(this.plain, { ...edit, start: caret, end: caret })
    return true
  }
}

/** Applies an edit without taking the focus from another field. */
function applyUnfocused(text: TextHandle, edit: Edit): void {
  const active = document.activeElement
  text.apply(edit)
  if (active instanceof HTMLElement && active.isConnected) active.focus()
}
