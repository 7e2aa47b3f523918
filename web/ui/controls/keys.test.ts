import { expect, test } from 'vitest'
import { keyOf } from './keys.ts'

test.each([
  ['и', 'KeyB', 'b'],
  ['И', 'KeyB', 'b'],
  ['ш', 'KeyI', 'i'],
  ['л', 'KeyK', 'k'],
  ['я', 'KeyZ', 'z'],
  ['β', 'KeyB', 'b'],
  ['לא', 'KeyB', 'b'],
  ['נ', 'KeyB', 'b'],
  ['לا', 'KeyB', 'b'],
  ['ن', 'KeyK', 'k'],
  ['ظ', 'Slash', '/'],
  ['ฝ', 'Slash', '/'],
  ['า', 'KeyK', 'k'],
  ['ิ', 'KeyB', 'b'],
  ['ㅠ', 'KeyB', 'b'],
  ['व', 'KeyB', 'b'],
  ['ბ', 'KeyB', 'b'],
])('%s on %s is %s', (key, code, expected) => {
  expect(keyOf({ key, code, shiftKey: false })).toBe(expected)
})

test.each([
  ['b', 'KeyN', 'b'],
  ['B', 'KeyB', 'b'],
  ['z', 'KeyY', 'z'],
  ['q', 'KeyA', 'q'],
  ['ö', 'Semicolon', 'ö'],
  ['ß', 'Minus', 'ß'],
  ['µ', 'KeyM', 'µ'],
  ['-', 'Slash', '-'],
  ['!', 'Slash', '!'],
  ['/', 'KeyQ', '/'],
  ['/', 'Digit7', '/'],
  ['Escape', 'Escape', 'Escape'],
  ['Enter', 'Enter', 'Enter'],
  ['Process', 'KeyB', 'Process'],
  ['Dead', 'KeyB', 'Dead'],
])('%s on %s stays %s', (key, code, expected) => {
  expect(keyOf({ key, code, shiftKey: false })).toBe(expected)
})

test('a question mark is one on every layout', () => {
  for (const key of ['?', '؟', '？']) expect(keyOf({ key, code: 'Slash', shiftKey: true })).toBe('?')
  expect(keyOf({ key: 'ฦ', code: 'Slash', shiftKey: true })).toBe('?')
})
