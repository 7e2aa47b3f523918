import { expect, test } from 'vitest'
import { isolateBidi, withLineFeeds, withoutBidiControls } from './characters.ts'

const override = '\u202E'

test('bidirectional controls are removed from plain text, and nothing else', () => {
  expect(withoutBidiControls(`${override}txt.exe\u2069`)).toBe('txt.exe')
  expect(withoutBidiControls('סירה \u200F(2026)! 👩\u200D🚀')).toBe('סירה \u200F(2026)! 👩\u200D🚀')
})

test('within a sentence only right-to-left text is isolated', () => {
  expect(isolateBidi('Canoe')).toBe('Canoe')
  expect(isolateBidi(`${override}Canoe`)).toBe('Canoe')
  expect(isolateBidi('סירה!')).toBe('\u2068סירה!\u2069')
  expect(isolateBidi('\u2069قارب')).toBe('\u2068قارب\u2069')
})

test('every line ending becomes LF, and nothing else changes', () => {
  expect(withLineFeeds('\r\n\r\none\r\rtwo\n\r\n  three \\r\r')).toBe('\n\none\n\ntwo\n\n  three \\r\n')
})
