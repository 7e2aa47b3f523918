import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentOf } from './merge-entry.ts'
import { isConflict, mergeText, type Piece } from './merge-text.ts'

const asMerge = (content: Piece[]) => ({
  title: { same: '' },
  content,
  tags: [],
  day: { same: '' },
  coverFile: { same: '' },
})
const agreed = (pieces: Piece[]) => pieces.map((piece) => (isConflict(piece) ? '' : piece.same)).join('')
const shown = (pieces: Piece[]) =>
  pieces.map((piece) => (isConflict(piece) ? `${piece.mine}\n${piece.theirs}` : piece.same)).join('\n')
const isClean = (pieces: Piece[]) => !pieces.some(isConflict)
const wordsIn = (text: string) => new Set(text.match(/\p{L}+\d+/gu))

/** A text of lines whose words are all different, so that each can be traced. */
const bases = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 6 })), { maxLength: 12 })
  .map((lengths) => {
    let next = 0
    return lengths.map((length) =>
      Array.from({ length }, () => {
        next += 1
        return `b${next}`
      }).join(' '),
    )
  })

type Edit = { at: number; kind: 'insert' | 'delete' | 'rewrite' | 'word' | 'drop word'; word: number }

const edits = fc.array(
  fc.record<Edit>({
    at: fc.nat(20),
    kind: fc.constantFrom('insert', 'delete', 'rewrite', 'word', 'drop word'),
    word: fc.nat(6),
  }),
  { maxLength: 6 },
)

/** An edit of the lines; `mark` is the prefix of the inserted words. */
function edited(lines: readonly string[], changes: readonly Edit[], mark: string): string[] {
  const result = [...lines]
  let count = 0
  const fresh = () => {
    count += 1
    return `${mark}${count}`
  }
  for (const { at, kind, word } of changes) {
    const index = result.length === 0 ? 0 : at % result.length
    const words = (result[index] ?? '').split(' ')
    if (kind === 'insert' || result.length === 0) result.splice(index, 0, `${fresh()} ${fresh()}`)
    else if (kind === 'delete') result.splice(index, 1)
    else if (kind === 'rewrite') result[index] = `${fresh()} ${fresh()}`
    else {
      words.splice(word % words.length, 1, ...(kind === 'word' ? [fresh()] : []))
      result[index] = words.join(' ')
    }
  }
  return result
}

/** The lines with one of them moved. */
function moved(lines: readonly string[], from: number, to: number): string[] {
  const result = [...lines]
  const [line = ''] = result.splice(from % Math.max(result.length, 1), 1)
  result.splice(to % (result.length + 1), 0, line)
  return result
}

const ends = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
const textOf = (lines: string[], hasEnd: boolean | undefined) => lines.join('\n') + (hasEnd ? '\n' : '')

test('for 1,000 pairs of edits, inserted words are in the text or in a conflict', () => {
  let clean = 0
  fc.assert(
    fc.property(bases, edits, edits, ends, (lines, first, second, [one, two, three]) => {
      const base = textOf(lines, one)
      const mine = textOf(edited(lines, first, 'm'), two)
      const theirs = textOf(edited(lines, second, 't'), three)
      const pieces = mergeText(base, mine, theirs)
      const everything = wordsIn(shown(pieces))
      for (const [mark, text] of [
        ['m', mine],
        ['t', theirs],
      ] as const)
        expect([...wordsIn(text)].filter((word) => word.startsWith(mark) && !everything.has(word))).toEqual(
          [],
        )
      // Deleted words return only in a conflict.
      const settled = wordsIn(agreed(pieces))
      const isKept = (word: string) => wordsIn(mine).has(word) && wordsIn(theirs).has(word)
      const wrong = (word: string) => (isKept(word) ? !everything.has(word) : settled.has(word))
      expect([...wordsIn(base)].filter(wrong)).toEqual([])
      // Choosing both keeps all words as well.
      expect(wordsIn(contentOf(asMerge(pieces), []))).toEqual(everything)
      if (isClean(pieces)) clean += 1
    }),
    { numRuns: 1_000 },
  )
  expect(clean).toBeGreaterThan(200)
})

test('a line that one moved and the other deleted returns only in a conflict', () => {
  fc.assert(
    fc.property(bases, fc.nat(20), fc.nat(20), fc.nat(20), (lines, from, to, gone) => {
      const base = textOf(lines, true)
      const mine = textOf(moved(lines, from, to), true)
      const theirs = textOf(lines.toSpliced(gone % Math.max(lines.length, 1), 1), true)
      const pieces = mergeText(base, mine, theirs)
      const settled = wordsIn(agreed(pieces))
      const everything = wordsIn(shown(pieces))
      const wrong = (word: string) => (wordsIn(theirs).has(word) ? !everything.has(word) : settled.has(word))
      expect([...wordsIn(base)].filter(wrong)).toEqual([])
    }),
    { numRuns: 1_000 },
  )
})

test('for 1,000 pairs of edits of different lines, the merge contains both or is a conflict', () => {
  let asked = 0
  fc.assert(
    fc.property(fc.array(fc.nat(11), { minLength: 1, maxLength: 16 }), fc.boolean(), (plan, hasEnd) => {
      const line = (index: number) => `b${index} b${index}1 b${index}2`
      const write = (whose: 'mine' | 'theirs' | 'both' | 'none') =>
        plan
          .flatMap((act, index) => {
            const [owner, mark] = act % 2 === 0 ? (['mine', 'm'] as const) : (['theirs', 't'] as const)
            if (whose === 'none' || (whose !== 'both' && whose !== owner)) return [line(index)]
            if (act < 2) return []
            if (act < 4) return [`${mark}${index} b${index}1 b${index}2`]
            if (act < 6) return [line(index), `${mark}${index} new`]
            return [line(index)]
          })
          .map((text) => `${text}\n`)
          .join('') + (hasEnd ? '' : 'the end')
      const pieces = mergeText(write('none'), write('mine'), write('theirs'))
      if (!isClean(pieces)) asked += 1
      expect([agreed(pieces), '(asked)']).toContain(isClean(pieces) ? write('both') : '(asked)')
    }),
    { numRuns: 1_000 },
  )
  expect(asked).toBeLessThan(500)
})

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('\n', '\r\n', 'a', ' ', '\u{1f35e}', '\ud83c', '- [ ] x', '面包'), {
      maxLength: 12,
    })
    .map((parts) => parts.join('')),
)

test('changes of only one person are merged unchanged', () => {
  fc.assert(
    fc.property(anything, anything, (base, changed) => {
      expect(agreed(mergeText(base, changed, base))).toBe(changed)
      expect(agreed(mergeText(base, base, changed))).toBe(changed)
      expect(agreed(mergeText(base, changed, changed))).toBe(changed)
    }),
    { numRuns: 1_000 },
  )
})

test('choosing one side of every conflict between two texts without a known base returns that text', () => {
  fc.assert(
    fc.property(anything, anything, (mine, theirs) => {
      const pieces = mergeText(null, mine, theirs)
      const side = (whose: 'mine' | 'theirs') =>
        pieces.map((piece) => (isConflict(piece) ? piece[whose] : piece.same)).join('')
      expect(side('mine')).toBe(mine)
      expect(side('theirs')).toBe(theirs)
    }),
    { numRuns: 1_000 },
  )
})

test('the side that wins every conflict loses only what the other had deleted', () => {
  fc.assert(
    fc.property(anything, anything, anything, (base, mine, theirs) => {
      const pieces = mergeText(base, mine, theirs)
      // Swapping the two returns the same pieces, mirrored.
      const mirrored = mergeText(base, theirs, mine).map((piece) =>
        isConflict(piece) ? { mine: piece.theirs, theirs: piece.mine } : piece,
      )
      expect(mirrored).toEqual(pieces)
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  [
    'other words of one line',
    'The red fox runs away.',
    'The old fox runs away.',
    'The red fox runs home.',
    'The old fox runs home.',
  ],
  [
    'adjacent lines',
    '- rye\n- oats\n',
    '- rye flour\n- oats\n',
    '- rye\n- rolled oats\n',
    '- rye flour\n- rolled oats\n',
  ],
  ['an end of line beside a word', 'rye', 'rye bread', 'rye', 'rye bread'],
  ['words without spaces', '今天面包很好', '昨天面包很好', '今天面包不好', '昨天面包不好'],
])('%s are merged', (_name, base, mine, theirs, merged) => {
  const pieces = mergeText(base, mine, theirs)
  expect(pieces).toEqual([{ same: merged }])
})

test.each([
  ['the same word', 'It rose well.', 'It rose slowly.', 'It rose fast.'],
  ['a line that the other deleted', 'one\ntwo\n', 'one\ntwo, changed\n', 'one\n'],
  [
    'a line that the other rewrote',
    'We baked a loaf today.\n',
    'We baked two loaves today.\n',
    'Nothing came of it.\n',
  ],
  ['what both add to the end', 'one\n', 'one\nmine\n', 'one\ntheirs\n'],
  ['what both wrote into nothing', '', 'mine', 'theirs'],
])('%s is a conflict', (_name, base, mine, theirs) => {
  expect(isClean(mergeText(base, mine, theirs))).toBe(false)
})
