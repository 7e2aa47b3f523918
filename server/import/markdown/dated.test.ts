import { describe, expect, test } from 'vitest'
import type { Converting } from '#server/import/converting/documents.ts'
import { createProblems } from '#server/import/items.ts'
import { createDating, datedName } from './dated.ts'
import { type FrontMatter, splitFrontMatter } from './front-matter.ts'

test.each([
  ['2024-05-17', '2024-05-17', '2024-05-17'],
  ['2024_05_17', '2024-05-17', '2024-05-17'],
  ['2024.05.17', '2024-05-17', '2024.05.17'],
  ['2024-05-17 Friday', '2024-05-17', '2024-05-17 Friday'],
  ['2024-05-17, Freitag', '2024-05-17', '2024-05-17, Freitag'],
  ['2024-05-17-first-lines', '2024-05-17', 'first lines'],
  ['2024-05-17 Friday at the yard', '2024-05-17', 'Friday at the yard'],
  ['20240517 Sanding', '2024-05-17', 'Sanding'],
  ['202405171542 Sanding', '2024-05-17', 'Sanding'],
  ['17.05.2024', '2024-05-17', '17.05.2024'],
  ['17.05.2024 Ausflug', '2024-05-17', '17.05.2024 Ausflug'],
  ['May 17th, 2024', '2024-05-17', 'May 17th, 2024'],
  ['Friday, May 17, 2024', '2024-05-17', 'Friday, May 17, 2024'],
  ['2024年5月17日', '2024-05-17', '2024年5月17日'],
  ['Launch 2024-05-17', '2024-05-17', 'Launch 2024-05-17'],
  ['Chapter 12', undefined, 'Chapter 12'],
  ['2024', undefined, '2024'],
  ['v2.1.2024-05-171', undefined, 'v2.1.2024-05-171'],
])('%s is a file of %s, called %s', async (stem, on, title) => {
  const name = datedName(stem)
  expect(name.title).toBe(title)
  const happened = await dating().at(name.dated, {})
  expect(happened).toBe(on ?? FILE)
})

const FILE = '2026-01-01'

/** What is between bars and on lines. */
const listed = (text: string) => text.split(/\s*[|\n]\s*/).filter(Boolean)
const matterOf = (lines: string) => splitFrontMatter(`---\n${lines}\n---\nx`).matter

/** Dates texts of a person in Berlin. */
function dating(others: FrontMatter[] = []) {
  const problems = createProblems()
  const happenedAt = createDating({ zone: 'Europe/Berlin', problems } as Converting, async function* () {
    for (const matter of others) yield { dated: undefined, matter }
  })
  const item = {
    path: 'a.md',
    size: 1,
    modifiedAt: new Date(`${FILE}T12:00:00Z`),
    open: () => Promise.reject(),
  }
  return {
    problems,
    at: async (dated: string | undefined, matter: FrontMatter) =>
      (await happenedAt({ item, dated, matter }))?.on,
  }
}

test.each([
  ...listed(`
    date: 17.05.2024 | date created: 2024-05-17 | Date Created: Friday, May 17th 2024, 3:42:00 pm
    created_at: 2024-05-17 | Created: 2024-05-17 15:42 | createdAt: 1715953320 | creation-date: 2024/05/17
    date: [[2024-05-17]] | date: "[[2024-05-17]]" | publishedAt: May 17, 2024 3:42 PM
    date modified: 17 May 2024 | lastmod: 2024-05-17 | published: 2024-05-17 | created: 20240517154200
    date: 2024-05-17 # a comment
  `),
  'created:\n  - 2024-05-17',
  'created:\nupdated: 2024-05-17',
  'published: yes\nmodified: 2024-05-17',
])('%j tells the date', async (lines) => {
  const { at, problems } = dating()
  expect(await at(undefined, matterOf(lines))).toBe('2024-05-17')
  expect(problems.list()).toEqual([])
})

describe('a date that can be read two ways', () => {
  test.each([
    ['by the place', [], '2024-06-05', 'day'],
    ['by another date', [{ date: '2024-01-02' }, { created: '05/17/2024' }], '2024-05-06', 'month'],
    ['by a date of a change', [{ modified: '13/01/2024' }], '2024-06-05', 'day'],
    [
      'by the place where others contradict',
      [{ date: '13/01/2024' }, { date: '1/13/2024' }],
      '2024-06-05',
      'day',
    ],
  ])('is read %s, which is told', async (_how, others, on, first) => {
    const { at, problems } = dating(others)
    expect(await at(undefined, { date: '05/06/2024' })).toBe(on)
    expect(problems.list()).toEqual([
      {
        reason: `day and month of its date could be the other way round: the ${first} was read first`,
        count: 1,
        paths: [`a.md: 05/06/2024 is ${on}`],
      },
    ])
  })
})

test('a date that cannot be read is reported, with what the text gets', async () => {
  const { at, problems } = dating()
  expect(await at(undefined, { date: 'Spring 2024' })).toBe(FILE)
  expect(await at(undefined, { date: '{{date}}', updated: '2024-05-17' })).toBe('2024-05-17')
  expect(await at('2024-05-17', { date: '2024' })).toBe('2024-05-17')
  expect(problems.list().map(({ reason, count }) => [reason, count])).toEqual([
    ['its date cannot be read, and it gets that of its file', 1],
    ['its date cannot be read, and it gets that of its name or of its last change', 2],
  ])
})
