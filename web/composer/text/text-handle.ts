import type { Extension } from '@codemirror/state'
import type { Edit, Selected } from './edits.ts'

/**
 * The operations of the toolbar, the shortcuts and features such as uploads on the content in the editor, with
 * CodeMirror or a plain text area. Every change can be undone.
 *
 * A feature provides an `EditorExtension`: `takeFiles` receives files that were pasted into or dropped on the
 * content, in both kinds of editor, and inserts references to them through the handle. `load` returns extensions of
 * CodeMirror, such as decorations and widgets; it is called once CodeMirror itself is loaded, and never for a plain
 * text area. Both are passed to `ContentField`.
 */
export type TextHandle = {
  selected: () => Selected
  apply: (edit: Edit) => void
  /** Replaces the selection by a text, with the caret after it. */
  insertAtCaret: (text: string) => void
  focus: () => void
  /** Moves the caret to the end if the text has had no focus yet, so that what is added does not go to its top. */
  placeCaret: () => void
}

/** An item of the insert list that inserts its Markdown through the handle. */
export type Insert = { name: string; run: (text: TextHandle) => void }

/** The extension of the content field by a feature; see `TextHandle`. */
export type EditorExtension = {
  /** Returns whether it accepts these files. They are for the selection; a drop has already moved the caret. */
  takeFiles?: (files: readonly File[], text: TextHandle) => boolean
  /** Additional items of the insert list. They run in a user gesture, so they may open a file picker. */
  inserts?: readonly Insert[]
  /** Returns what it adds to CodeMirror, at once if it has been loaded. */
  load?: () => Extension | Promise<Extension>
  /** Called by Escape before the editor does anything; returns whether it did something. Not in a plain text area. */
  escape?: () => boolean
}

/** Returns the edit that replaces a selection by a text. */
export function insertion({ start, end }: Selected, insert: string): Edit {
  const caret = start + insert.length
  return { from: start, to: end, insert, start: caret, end: caret }
}

/** The text areas that have had the focus, or something dropped into them: their caret is where it was put. */
const touched = new WeakSet<HTMLTextAreaElement>()

export const noteTouched = (area: HTMLTextAreaElement): void => void touched.add(area)

/** Returns the handle of a plain text area. Its changes are like typing, so that Undo reverts them. */
export function handleOf(area: HTMLTextAreaElement): TextHandle {
  const selected = () => ({ text: area.value, start: area.selectionStart, end: area.selectionEnd })

  function apply({ from, to, insert, start, end }: Edit) {
    area.focus()
    area.setSelectionRange(from, to)
    const typed =
      insert === '' ? document.execCommand('delete') : document.execCommand('insertText', false, insert)
    if (!typed) {
      area.setRangeText(insert, from, to, 'end')
      area.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    area.setSelectionRange(start, end)
  }

  return {
    selected,
    apply,
    insertAtCaret: (text) => apply(insertion(selected(), text)),
    focus: () => area.focus(),
    placeCaret() {
      if (!touched.has(area)) area.setSelectionRange(area.value.length, area.value.length)
    },
  }
}
