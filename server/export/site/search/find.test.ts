import { expect, it } from 'vitest'
import { findInSite, foldDocument } from './find.ts'

const documents = [
  ['Crème brûlée', '2026-01-01', 'Sugar and cream.', ['Dessert']],
  ['The oven', '2026-01-03', 'Crème for the strasse, and an article.', []],
  ['パンを焼く', '2026-01-02', '東京都のパン屋で学んだ。', ['日記']],
  ['خبز', '2026-01-04', 'أكتب عن الخُبز', []],
  ['빵', '2026-01-05', '오늘도 빵을구웠다', []],
] as const
const folded = documents.map(([title, on, text, tags]) =>
  foldDocument({ kind: 'entry', title, path: '', on, milestone: null, tags: [...tags], text }),
)
const titles = (q: string) => findInSite(folded, q).hits.map(({ title }) => title)

it.each([
  ['creme', ['Crème brûlée', 'The oven']],
  ['CRE\u0300ME bru', ['Crème brûlée']],
  ['Straße', ['The oven']],
  ['art', ['The oven']],
  ['rticle', []],
  ['"for the"', ['The oven']],
  ['tag:DESSERT', ['Crème brûlée']],
  ['京都', ['パンを焼く']],
  ['パン屋', ['パンを焼く']],
  ['ﾊﾟﾝ', ['パンを焼く']],
  ['اكتب', ['خبز']],
  ['الخبز', ['خبز']],
  ['구웠', ['빵']],
  ['creme -oven', ['Crème brûlée']],
  ['creme -"for the"', ['Crème brûlée']],
  ['creme -tag:dessert', ['The oven']],
  ['', []],
  ['+++', []],
])('%j finds %j', (q, expected) => expect(titles(q)).toEqual(expected))

it('names the filters that a site does not have', () => {
  expect(findInSite(folded, 'creme by:ada')).toMatchObject({ hits: [], unknown: ['by:ada'] })
})
