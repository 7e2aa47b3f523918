import { keyOf } from '#web/ui/controls/keys.ts'
import type { Edit, Selected } from './edits.ts'
import { makeLink } from './link-edits.ts'
import { toggleMark } from './marks.ts'
import { markCode, toggleLines } from './text-edits.ts'

type Key = { key: string } | { code: string }

export type EditorCommand = {
  name: string
  edit: (selected: Selected) => Edit
  /** With Ctrl or ⌘; a `code` also with Shift, because the key's character differs between keyboard layouts. */
  press: Key
  /** The same shortcut for display, without Ctrl or ⌘. */
  keys: string
}

/** The formatting commands of the toolbar and the keyboard. */
export const editorCommands = [
  { name: 'Bold', edit: toggleMark('**'), press: { key: 'b' }, keys: 'B' },
  { name: 'Italic', edit: toggleMark('*'), press: { key: 'i' }, keys: 'I' },
  { name: 'Heading', edit: toggleLines('heading'), press: { code: 'Digit2' }, keys: 'Shift+2' },
  { name: 'Link', edit: makeLink, press: { key: 'k' }, keys: 'K' },
  { name: 'Quote', edit: toggleLines('quote'), press: { code: 'Period' }, keys: 'Shift+.' },
  { name: 'Code', edit: markCode, press: { key: 'e' }, keys: 'E' },
  { name: 'Numbered list', edit: toggleLines('numbers'), press: { code: 'Digit7' }, keys: 'Shift+7' },
  { name: 'Bulleted list', edit: toggleLines('bullets'), press: { code: 'Digit8' }, keys: 'Shift+8' },
  { name: 'Checklist', edit: toggleLines('tasks'), press: { code: 'Digit9' }, keys: 'Shift+9' },
] as const satisfies EditorCommand[]

export type EditorCommandName = (typeof editorCommands)[number]['name']

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** Returns the command of a pressed key, if it has one. */
export function commandFor(pressed: Pressed): EditorCommand | undefined {
  if (pressed.ctrlKey === pressed.metaKey || pressed.altKey) return undefined
  return editorCommands.find(({ press }) =>
    'key' in press
      ? !pressed.shiftKey && press.key === keyOf(pressed)
      : pressed.shiftKey && press.code === pressed.code,
  )
}
