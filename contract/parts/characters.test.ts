import { expect, test } from 'vitest'
import {
  firstCharacters,
  firstVisible,
  isBlank,
  isolateBidi,
  withEllipsis,
  withLineFeeds,
  withoutBidiControls,
} from './characters.ts'

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

test.each([
  '',
  ' \t\n',
  '\u200B',
  '\u3164',
  '\u2800 \u2800',
  '\u00AD',
  '\u200E\u202E\u2069\u061C',
  '\uFE0F',
  '\u{E0101}',
  '\u{E0041}\u{E007F}',
  '\u115F\uFFA0\u034F\u2060\uFEFF\u180E',
])('%j cannot be seen', (text) => {
  expect(isBlank(text)).toBe(true)
  expect(isBlank(`${text}a`)).toBe(false)
})

test.each(['.', '\u0301', 'न', '❤\uFE0F', '👩\u200D🚀', '🏴\u{E0067}\u{E0062}', '\u0600', '-'])(
  '%j can be seen',
  (text) => {
    expect(isBlank(text)).toBe(false)
  },
)

const family = '👨\u200D👩\u200D👧'

test('a text is cut between characters as people see them', () => {
  expect(firstCharacters('Canoe', 3)).toBe('Can')
  expect(firstCharacters('Canoe', 9)).toBe('Canoe')
  expect(firstCharacters(`a${family}b`, 5)).toBe('a')
  expect(firstCharacters(`a${family}b`, 6)).toBe(`a${family}`)
  expect(firstCharacters('🇩🇪🇫🇷', 3)).toBe('🇩🇪')
  expect(firstCharacters(`a${'\u0301'.repeat(500)}`, 10)).toBe(`a${'\u0301'.repeat(9)}`)
  expect(firstCharacters('x'.repeat(1_000_000), 2)).toBe('xx')
  expect(withEllipsis(`Trip ${family}`, 8)).toBe('Trip…')
  expect(withEllipsis(`Trip ${family}`, 10)).toBe(`Trip ${family}`)
})

test('an initial is a whole visible character', () => {
  expect(firstVisible(`${family} Astra`)).toBe(family)
  expect(firstVisible('\u200B\u2800 e\u0301lan')).toBe('e\u0301')
  expect(firstVisible('\u200B')).toBe('')
})
