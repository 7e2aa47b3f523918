import { expect, test } from 'vitest'
import { commandFor } from './editor-commands.ts'

const pressed = (fields: Partial<KeyboardEvent>) => ({
  key: '',
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...fields,
})

test.each([
  [{ key: 'b', ctrlKey: true }, 'Bold'],
  [{ key: 'b', metaKey: true }, 'Bold'],
  [{ key: 'B', ctrlKey: true }, 'Bold'],
  [{ key: 'i', ctrlKey: true }, 'Italic'],
  [{ key: 'k', metaKey: true }, 'Link'],
  [{ key: '*', code: 'Digit8', ctrlKey: true, shiftKey: true }, 'Bulleted list'],
  [{ key: '(', code: 'Digit8', ctrlKey: true, shiftKey: true }, 'Bulleted list'],
])('%j is %s', (keys, name) => {
  expect(commandFor(pressed(keys))?.name).toBe(name)
})

test.each([
  { key: 'b' },
  { key: 'b', ctrlKey: true, altKey: true },
  { key: 'b', ctrlKey: true, metaKey: true },
  { key: 'I', code: 'KeyI', ctrlKey: true, shiftKey: true },
  { key: '8', code: 'Digit8', ctrlKey: true },
  { key: 'Enter', ctrlKey: true },
])('%j is none of ours', (keys) => {
  expect(commandFor(pressed(keys))).toBeUndefined()
})
