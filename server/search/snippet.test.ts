import { expect, it } from 'vitest'
import { markTitle, snippetOf } from './snippet.ts'

const family = '👨\u200D👩\u200D👧'

it.each([
  family,
  '🇩🇪',
  '👍🏽',
  'e\u0301',
  'กำ',
  'क्षि',
  '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
])('a snippet of a text of %s is cut between characters as people see them', (one) => {
  for (const offset of ['', 'a', 'ab']) {
    const { text } = snippetOf(`${offset}${one.repeat(200)}oak${one.repeat(200)}`, ['oak'])
    expect(text.replaceAll(one, '')).toBe('…oak…')
  }
})

it.each([
  [`${family}${family}`, '👩', [0, family.length, 2 * family.length]],
  ['👍🏽', '👍', [0, 4]],
])('a match in a part of %s marks the whole character', (title, word, ends) => {
  for (const { start, length } of markTitle(title, [word]).marks) {
    expect(ends).toContain(start)
    expect(ends).toContain(start + length)
  }
})
