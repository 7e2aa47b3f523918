import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare, type Piece } from './compare.ts'

const marked = (pieces: Piece[]) =>
  pieces
    .map(({ kind, text }) => (kind === 'same' ? text : `${kind === 'added' ? '+' : '-'}[${text}]`))
    .join('')

describe('the comparison of two texts', () => {
  it('marks changed words within a line', () => {
    expect(marked(compare('They smell of summer.\n\nEnd', 'They smelt of late summer.\n\nEnd', 1_000))).toBe(
      'They -[smell]+[smelt] of +[late ]summer.\n\nEnd',
    )
  })

  it('marks whole lines that were inserted or deleted', () => {
    expect(marked(compare('one\ntwo\nthree\n', 'one\nthree\nfour\n', 1_000))).toBe(
      'one\n-[two\n]three\n+[four\n]',
    )
    expect(marked(compare('', 'all', 1_000))).toBe('+[all]')
    expect(marked(compare('same', 'same', 1_000))).toBe('same')
    expect(compare('', '', 1_000)).toEqual([])
  })

  it('shows a sentence of which most changed as one removal and one insertion', () => {
    const before = 'We went to the lake. It rained all day and nobody minded. Then home.'
    const after = 'We went to the lake. The sun was out, so nobody wanted to leave at all. Then home.'
    expect(marked(compare(before, after, 1_000))).toBe(
      'We went to the lake. -[It rained all day and nobody minded]+[The sun was out, so nobody wanted to leave at all]. Then home.',
    )
    expect(marked(compare('今日は雨でした。', '今日は晴れでした。', 1_000))).toBe(
      '今日は-[雨]+[晴れ]でした。',
    )
  })

  it('compares pictures as a whole', () => {
    const picture = (end: string, words = '') =>
      `![${words}](/files/0199f1f0-0000-7000-8000-00000000000${end})`
    expect(marked(compare(`${picture('1')}\nend`, `${picture('2')}\nend`, 1_000))).toBe(
      `-[${picture('1')}]+[${picture('2')}]\nend`,
    )
  })

  it('compares a picture whose caption has brackets and quotation marks as a whole', () => {
    const picture = (end: string) => `![a [1\\] b](/files/0199f1f${end} "the \\"oven\\" (hot)")`
    expect(marked(compare(`${picture('1')}\nend`, `${picture('2')}\nend`, 1_000))).toBe(
      `-[${picture('1')}]+[${picture('2')}]\nend`,
    )
  })

  it.each([
    ['👨\u200D👩\u200D👧', '👨\u200D👩\u200D👦'],
    ['🇩🇪', '🇩🇰'],
    ['👍🏽', '👍🏿'],
    ['❤️', '❤'],
    ['🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}', '🏴'],
    ['กำ', 'กา'],
    ['ក្រ', 'ក្ម'],
    ['क्ष', 'क्र'],
    ['می\u200Cخواهم', 'می\u200Cخواهد'],
    ['1️⃣', '2️⃣'],
    ['e\u0301', 'e\u0300'],
  ])('never cuts a character as people see it: %s, %s', (before, after) => {
    const text = (one: string) => `We said ${one} and then ${one} to all who were there`
    expect(marked(compare(text(before), text(after), 1_000))).toBe(
      `We said -[${before}]+[${after}] and then -[${before}]+[${after}] to all who were there`,
    )
  })

  it('contains exactly both texts, regardless of its time limit', () => {
    const word = fc.constantFrom(
      'wood',
      'glue ',
      '\n',
      ' ',
      '\r',
      'ж',
      '🛶',
      '*',
      'a',
      '\n\n',
      '. ',
      '雨',
      '。',
      '![](/files/1)',
      '\u0301',
      '\u200D',
      '🇩',
      '🏽',
      '្',
    )
    const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(''))
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 1_000), (before, after, ms) => {
        const pieces = compare(before, after, ms)
        const without = (kind: Piece['kind']) =>
          pieces
            .filter((piece) => piece.kind !== kind)
            .map((piece) => piece.text)
            .join('')
        expect(without('added')).toBe(before)
        expect(without('removed')).toBe(after)
      }),
    )
  })

  it('of two long texts without common passages ends at the time limit', () => {
    const long = (word: string) => Array.from({ length: 40_000 }, (_, at) => `${word}${at}`).join(' ')
    const began = process.cpuUsage()
    const pieces = compare(long('a'), long('b'), 200)
    const { user, system } = process.cpuUsage(began)
    expect(user + system).toBeLessThan(3_000_000)
    expect(pieces.map(({ kind }) => kind)).toContain('removed')
  })
})
