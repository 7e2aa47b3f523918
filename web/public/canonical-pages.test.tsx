import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PublicEntryPage } from './entry/public-entry-page.tsx'
import { PublicProjectPage } from './project/public-project-page.tsx'
import { aPublicEntry, aPublicPage } from './testing.ts'

const ORIGIN = 'https://milepost.example'
const FIRST = '0199f1f0-0000-7000-8000-000000000001'
const SECOND = '0199f1f0-0000-7000-8000-000000000002'

const canonicalOf = (html: string) =>
  /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')

test.each([
  [FIRST, 1, '/world/p'],
  [SECOND, 1, `/world/p?milestone=${SECOND}`],
  [SECOND, 2, `/world/p?milestone=${SECOND}&page=2`],
])('a project that shows the milestone %s at page %i has its own URL', (_id, page, own) => {
  const found = aPublicPage([FIRST, SECOND], { _id, page })
  expect(
    canonicalOf(
      renderToStaticMarkup(
        <PublicProjectPage found={found} order="oldest" origin={ORIGIN} sendsMail={false} />,
      ),
    ),
  ).toBe(ORIGIN + own)
})

test('a project in the order of the newest has the URL of the story', () => {
  const found = aPublicPage([FIRST, SECOND], { _id: SECOND, page: 2 })
  const html = renderToStaticMarkup(
    <PublicProjectPage found={found} order="newest" origin={ORIGIN} sendsMail={false} />,
  )
  expect(canonicalOf(html)).toBe(`${ORIGIN}/world/p?milestone=${SECOND}`)
})

test('an entry has its own URL, and its HTML once', () => {
  const found = aPublicEntry({ _id: 'one', html: '<p>It <strong>rose</strong>.</p>' })
  const html = renderToStaticMarkup(<PublicEntryPage found={found} origin={ORIGIN} />)
  expect(canonicalOf(html)).toBe(`${ORIGIN}/world/p/entries/one`)
  expect(html.split('<strong>rose</strong>')).toHaveLength(2)
})
