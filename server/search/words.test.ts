import { expect, it } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import { longTextOfHtml, textOfHtml } from '#server/markdown/html-text.ts'
import { stemOf, wordsOf } from './looser.ts'
import { isSlip } from './slips.ts'
import { splitWords } from './split.ts'
import { folded, longFolded, vectorOf } from './words.ts'

const stored = (text: string) =>
  Array.from(splitWords(text), ({ parts, wholes }) => [...wholes, ...parts]).flat()

it.each([
  ['the lathe, oiled', ['the', 'lathe', 'oiled']],
  ['server.config.ts', ['server.config.ts', 'server', 'config', 'ts']],
  ['c++ and c# or c', ['c++', 'c', 'and', 'c#', 'c', 'or', 'c']],
  ["it's well-known.", ["it's", 'it', 's', 'well-known', 'wellknown', 'well', 'known']],
  // Without apostrophes and hyphens, too, but not as another English word.
  ["o'brien she'll", ["o'brien", 'obrien', 'o', 'brien', "she'll", 'she', 'll']],
  ['2,5 1,000, 10', ['2,5', '2.5', '2', '5', '1,000', '1.000', '1000', '1', '000', '10']],
  ['25kg 3.5mm h2o', ['25kg', '25', 'kg', '3.5mm', '3.5', '3', '5', 'mm', 'h2o']],
  ['東京都', ['東京', '京都', '都']],
  ['木の椅子 chair', ['木の', 'の椅', '椅子', '子', 'chair']],
  ['東京tower', ['東京', '京', 'tower']],
  ['한글 문서', ['한글', '문서']],
  ['v1.2.3 at /etc/hosts', ['v1.2.3', 'v1', '2', '3', 'at', 'etc/hosts', 'etc', 'hosts']],
  ['हिन्दी मराठी', ['हिन्दी', 'मराठी']],
  ['🎉', ['🎉']],
  ['!?… ---', []],
])('the words of %s', (text, words) => {
  expect(stored(text)).toEqual(words)
})

it('are at consecutive positions, also code as a whole, and a phrase does not reach from one text into the next', async () => {
  const vector = await vectorOf([
    ['A', 'day one'],
    ['C', "it's one"],
  ])
  expect(vector.split(' ').toSorted()).toEqual(
    ["'day':1A", "'one':2A,10C", "'it''s':8C", "'it':8C", "'s':9C"].toSorted(),
  )
})

it.each(['a.', 'word ', '東', '+', 'a\u0301', '한', "'\\"])(
  'a long text of %s fits into the index',
  async (text) => {
    const vector = await vectorOf([['C', text.repeat(200_000 / text.length)]])
    expect(Buffer.byteLength(vector)).toBeLessThan(1_000_000)
  },
)

it('a long text is folded as a short one, but one of ligatures only to a limit', async () => {
  const text = 'Größe 木の椅子 Ёлка ﷺ\n'.repeat(3_000)
  expect(await longFolded(text)).toBe(folded(text))
  expect((await longFolded('ﷺ'.repeat(200_000))).length).toBeLessThan(600_000)
})

it('long HTML has the same text as short HTML', async () => {
  const html = '<p>It <em>rose</em> &amp; <img src="/files/1" alt="a loaf"> fell.</p>'.repeat(3_000)
  expect((await longTextOfHtml(html)).split(/\s+/)).toEqual(textOfHtml(html).split(/\s+/))
})

it.each([
  ['варка', 'варк', true],
  ['vanrish', 'varnish', true],
  ['varnich', 'varnish', true],
  ['varnishh', 'varnish', true],
  ['vranihs', 'varnish', false],
  ['varnish', 'varnish', false],
  ['𝄞a', 'a', true],
])('%s is a slip of %s: %s', (one, other, expected) => {
  expect(isSlip(one, other)).toBe(expected)
})

it.each([
  ['2–3 ½ 2×4', '2-3 1/2 2x4'],
  ['٢٥ ۲۵ २५ ๒๕', '25 25 25 25'],
  ['हिन्दी लकड़ी', 'हिंदी लकडी'],
])('%s is folded to %s', (written, expected) => {
  expect(folded(written)).toBe(expected)
})

it('the digits of every script of today are folded to their values', () => {
  const digits = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code))
    .filter((letter) => /\p{Nd}/u.test(letter))
    .map(folded)
  const inTurn = digits.map((_, index) => String(index % 10))
  expect(digits.length).toBeGreaterThan(300)
  expect(digits).toEqual(inTurn)
})

it.each([
  ['京都の椅子', ['京都', '椅子']],
  ['北京桌子', ['北京', '桌子']],
  ['高い', ['高']],
  ['プリンター', ['プリンタ']],
  ['した', ['した']],
])('%s consists of %j', (run, words) => {
  expect(wordsOf(run)).toEqual(words)
})

it.each([
  ['학교에서', '학교'],
  ['나무를', '나무'],
  ['물을', '물'],
  ['물', '물'],
  ['책상', '책상'],
])('%s without its ending is %s', (word, stem) => {
  expect(stemOf(word)).toBe(stem)
})

it('of a text do not end with the number of a note', () => {
  const { html } = renderMarkdown('The boat[^1] is [red](#footnote-1).\n\n[^1]: Oak.')
  expect(textOfHtml(html)).toBe('The boat is red. Oak.')
})
