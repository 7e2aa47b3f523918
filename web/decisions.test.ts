import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const pages = ['README.md', 'SECURITY.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')]

const read = (page: string) => readFileSync(page, 'utf8')

test('the index of decisions has every page, and a page names each earlier number', () => {
  const index = read('docs/decisions/README.md')
  const linked = new Set(Array.from(index.matchAll(/\]\(([\w-]+\.md)/g), ([, page]) => page))
  const written = readdirSync('docs/decisions').filter((page) => page !== 'README.md')
  expect(written.filter((page) => !linked.has(page))).toEqual([])
  const held = written.flatMap((page) => {
    const [, numbers = ''] =
      /^\*Decisions? (.*?)(?:November|2026)/m.exec(read(`docs/decisions/${page}`)) ?? []
    return Array.from(numbers.matchAll(/\d+/g), ([number]) => Number(number))
  })
  const all = Array.from({ length: 94 }, (_, position) => position + 1)
  expect([...new Set(held)].toSorted((one, other) => one - other)).toEqual(all)
})

/** Returns the id that GitHub gives a heading. */
const idOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const headingsOf = (page: string) =>
  Array.from(read(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => idOf(heading))

test('every link of the documentation has an existing file and heading', () => {
  const broken = pages.flatMap((page) =>
    Array.from(read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)/g)).flatMap(([, file, id]) => {
      const target = file ? path.join(path.dirname(page), file) : page
      const leads = existsSync(target) && (!id || headingsOf(target).includes(id))
      return leads ? [] : [`${page}: ${file ?? ''}${id ? `#${id}` : ''}`]
    }),
  )
  expect(broken).toEqual([])
})

test('every file that the guides name exists', () => {
  const guides = [
    'README.md',
    'docs/architecture.md',
    'docs/contributing.md',
    'docs/glossary.md',
    ...globSync('docs/operations{.md,/*.md}'),
  ]
  const named = /`((?:contract|deploy|docs|e2e|markdown|scripts|server|verification|web)\/[\w@./-]*)`/g
  const missing = guides.flatMap((page) =>
    Array.from(read(page).matchAll(named), ([, file = '']) => file)
      .filter((file) => !existsSync(file))
      .map((file) => `${page}: ${file}`),
  )
  expect(missing).toEqual([])
})

test('the changelog begins with this version and its newest migration', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const [, newest = ''] = read('CHANGELOG.md').split(/^## /m)
  expect(newest).toMatch(new RegExp(`^${version.replaceAll('.', '[.]')} `))
  const migration = readdirSync('server/database/migrations').toSorted().at(-1)?.slice(0, 4)
  expect(newest).toContain(`to ${migration} run`)
})
