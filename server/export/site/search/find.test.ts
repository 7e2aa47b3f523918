import { expect, it } from 'vitest'
import { type SiteDocument, searchSite } from './find.ts'

const documents = [
  ['Crème brûlée', '2026-01-01', 'Sugar and cream.', ['Dessert']],
  ['The oven', '2026-01-03', 'Crème for the strasse, and an article.', []],
  ['パンを焼く', '2026-01-02', '東京都のパン屋で学んだ。', ['日記']],
  ['خبز', '2026-01-04', 'أكتب عن الخُبز', []],
  ['빵', '2026-01-05', '오늘도 빵을구웠다', []],
] as const
const indexed = documents.map(
  ([title, on, text, tags]): SiteDocument => ({
    kind: 'entry',
    title,
    path: '',
    on,
    milestone: null,
    tags: [...tags],
    text,
  }),
)

function find(q: string, max = 50) {
  const search = searchSite(q, max)
  // As from the files of an index.
  for (const document of indexed) search.look([document])
  return search.found()
}

const titles = (q: string) => find(q).hits.map(({ title }) => title)

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
  expect(find('creme by:ada')).toMatchObject({ hits: [], unknown: ['by:ada'] })
})

it('counts all that it finds, and remembers the best', () => {
  expect(find('creme', 1)).toMatchObject({ hits: [{ title: 'Crème brûlée' }], count: 2 })
})
