import { expect, test } from 'vitest'
import { comparableOf } from './comparable.ts'

const equal: [string, string][] = [
  ['CAFÉ', 'cafe'],
  ['cafe\u0301', 'café'],
  ['\u0301', ''],
  ['Straße', 'strasse'],
  ['ЁЛКА', 'елка'],
  ['co\u00ADop', 'coop'],
  ['ＡＢＣ', 'abc'],
  ['がくせい'.normalize('NFD'), 'がくせい'],
  ['don’t', "don't"],
]

test.each(equal)('a search in the editor takes %j and %j as equal', (one, other) => {
  expect(comparableOf(one)).toBe(comparableOf(other))
})

test.each(equal.flat())('%j is compared as its characters are, each for itself', (text) => {
  expect([...text.normalize('NFKD')].map(comparableOf).join('')).toBe(comparableOf(text))
})
