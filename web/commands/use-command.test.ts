import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandList } from './table.ts'
import { commandOf } from './use-command.ts'

const press = (key: string, code: string, held: Partial<KeyboardEvent> = {}) =>
  commandOf({ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held })

test('each key of the table gives one command', () => {
  const keys = commandList.flatMap(([, { key }]) => key ?? [])
  expect(new Set(keys).size).toBe(keys.length)
  expect(press('c', 'KeyC')).toBe('write')
  expect(press('?', 'Slash', { shiftKey: true })).toBe('shortcuts')
  expect(press('k', 'KeyK')).toBe('previousEntry')
  expect(press('k', 'KeyK', { ctrlKey: true })).toBe('palette')
})

test('each command opens a screen, or something offers it', () => {
  const sources = globSync('web/**/*.{ts,tsx}').map((path) => readFileSync(path, 'utf8'))
  const own = readFileSync('web/palette/use-actions.ts', 'utf8')
  const isOffered = (id: string) =>
    new RegExp(`^    ${id}:`, 'm').test(own) || sources.some((text) => text.includes(`useCommand('${id}'`))
  expect(commandList.flatMap(([id, command]) => ('to' in command || isOffered(id) ? [] : id))).toEqual([])
})

test('where the letter of a key is not Latin, its place gives the command', () => {
  expect(press('с', 'KeyC')).toBe('write')
  expect(press('л', 'KeyK', { ctrlKey: true })).toBe('palette')
  expect(press('ؤ', 'KeyC')).toBe('write')
  expect(press('ظ', 'Slash')).toBe('search')
  // On a Latin layout, the letter counts, wherever it is.
  expect(press('c', 'KeyI')).toBe('write')
  expect(press('j', 'KeyC')).toBe('nextEntry')
})

test('other modifiers are keys of the browser', () => {
  expect(press('c', 'KeyC', { ctrlKey: true })).toBeUndefined()
  expect(press('C', 'KeyC', { shiftKey: true })).toBeUndefined()
  expect(press('k', 'KeyK', { ctrlKey: true, altKey: true })).toBeUndefined()
  expect(press('k', 'KeyK', { ctrlKey: true, shiftKey: true })).toBeUndefined()
  expect(press('k', 'KeyK', { metaKey: true })).toBeUndefined()
})
