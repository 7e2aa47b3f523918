import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { consistsOfAccountWords, isCommonPassword } from './common-passwords.ts'

const longEnough = passwords.filter(({ length }) => length >= 6)

describe('a password is common', () => {
  test('if it is on the list, which has more than 40,000 that are long enough', () => {
    expect(longEnough.length).toBeGreaterThan(40_000)
    const sampled = longEnough.filter((_password, index) => index % 100 === 0)
    expect(sampled.filter((password) => !isCommonPassword(password))).toEqual([])
    expect(isCommonPassword(longEnough.at(-1) ?? '')).toBe(true)
  })

  test.each(['TrustNo1', 'ｐａｓｓｗｏｒｄ', 'Password1!', 'MILEPOST1'])(
    'in whichever case and width it is typed: %s',
    (password) => expect(isCommonPassword(password)).toBe(true),
  )

  test.each(['1111111', 'aaaaaaaaaaaaaaaa', 'abcabcabc', 'zaq1zaq1zaq1', 'abababa', 'éééééé'])(
    'that repeats itself: %s',
    (password) => expect(isCommonPassword(password)).toBe(true),
  )

  test.each(['abcdefgh', 'ABCDEFGH', '23456789', 'zyxwvuts'])('if it is a sequence: %s', (password) =>
    expect(isCommonPassword(password)).toBe(true),
  )
})

test.each([
  'difference engine',
  'analytical engine',
  'acegikmo',
  // Two neighbors of the list as one password.
  `${longEnough[0]}\n${longEnough[1]}`,
  // The longest accepted one, almost a repetition.
  `${'ab'.repeat(63)}ac`,
])('%j is not common', (password) => expect(isCommonPassword(password)).toBe(false))

describe('a password consists of words of its account', () => {
  const ada = { email: 'ada.king@lovelace.example', names: ['Ada Lovelace', 'The Countess'] }

  test.each(['adalovelace', 'ada.king@lovelace.example', 'Milepost Countess', 'KING-ada-king!'])(
    'that has nothing else: %s',
    (password) => expect(consistsOfAccountWords(password, ada)).toBe(true),
  )

  test.each(['adamant canoe by the river', 'Lovelace1815', 'difference engine'])(
    'unless a letter or digit remains: %s',
    (password) => expect(consistsOfAccountWords(password, ada)).toBe(false),
  )

  test.each(['🦊🐻🐼🐨🐯🦁🐮🐷', '!?-%&/(=)+#'])('unless it has no word at all: %s', (password) =>
    expect(consistsOfAccountWords(password, ada)).toBe(false),
  )

  test('unless a short name only shares its letters with other words', () => {
    expect(consistsOfAccountWords('sailing', { email: 'ai@x.io', names: ['Li'] })).toBe(false)
  })
})
