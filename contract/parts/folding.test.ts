import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from './folding.ts'

test.each([
  ['Über Nacht', 'uber nacht'],
  ['한글 café', '한글 café'.normalize('NFD')],
  ['İstanbul', 'ISTANBUL'],
  ['ıI', 'ii'],
  ['Straße', 'STRASSE'],
  ['Ἀθῆναι ΣΊΣΥΦΟΣ', 'αθηναι σισυφος'],
  ['Ёлка', 'елка'],
  ['ﾊﾟﾝ', 'パン'],
  ['ﬁne', 'fine'],
  ['so\u00ADda\u200B', 'soda'],
  ['Łódź Ærø', 'lodz aero'],
  ['مُحَمَّد', 'محمد'],
  ['rock ’n’ roll', "rock 'n' roll"],
])('%s is found as %s', (one, other) => {
  expect(fold(one)).toBe(fold(other))
})

test.each([
  ['йод', 'иод'],
  ['が', 'か'],
  ['กำ', 'ก'],
])('%s is not %s', (one, other) => {
  expect(fold(one)).not.toBe(fold(other))
})

test('folding twice is folding once, and composed and decomposed texts are one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(fold(fold(text))).toBe(fold(text))
      expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')))
    }),
  )
})
