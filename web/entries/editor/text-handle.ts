import type { Edit, Selected } from './text-edits.ts'

/**
 * What the toolbar, the shortcuts and features such as uploads can do with the content while it is being edited, in
 * CodeMirror or in a plain text box. Every change can be undone.
 *
 * A feature takes part by an `EditorExtension`: `takeFiles` receives files that were pasted into or dropped on the
 * content, in both kinds of editor, and writes references to them through the handle. `load` brings extensions of
 * CodeMirror, such as decorations and widgets; it is called once CodeMirror itself is loaded, and never for a plain
 * text box. Both are given to `ContentField`.
 */
export type TextHandle = {
  selected: () => Selected
  apply: (edit: Edit) => void
  /** Replaces the selection by a text, and puts the caret after it. */
  insertAtCaret: (text: string) => void
  focus: () => void
}

/** Something to insert that is not Markdown yet: it writes its Markdown through the handle. */
export type Insert = { name: string; run: (text: TextHandle) => void }

/** What a feature adds to the content field; see `TextHandle`. */
export type EditorExtension = {
  /** Returns whether it takes these files. They belong to the selection; a drop has moved the caret there. */
  takeFiles?: (files: readonly File[], text: TextHandle) => boolean
  /** What the list that `/` opens offers beside Markdown. A press or a key has chosen it, so it may open a picker. */
  inserts?: readonly Insert[]
  load?: () => Promise<import('@codemirror/state').Extension>
}

/** Returns the edit that replaces a selection by a text. */
export function insertion({ start, end }: Selected, insert: string): Edit {
  const caret = start + insert.length
  return { from: start, to: end, insert, start: caret, end: caret }
}

/** Returns the handle of a plain text box, which is changed as typing would, so that Undo takes it back. */
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
  }
}
