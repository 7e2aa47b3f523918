import type { Edit, Selected } from './text-edits.ts'

/** What a text box holds and what is selected in it. */
export function selectedIn({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selected {
  return { text: value, start: selectionStart, end: selectionEnd }
}

/** Changes a text box as typing would, so that Undo takes it back and listeners hear of it. */
export function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
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
