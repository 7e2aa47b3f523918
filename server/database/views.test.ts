import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Where entries are written, rendered whoever may read them, and restored. All others read `live_entries`. */
const KNOW_ENTRIES = [
  'server/backup/',
  'server/database/migrations/',
  'server/entries/rendering-store.ts',
  'server/entries/store.ts',
]

/** Where visibility is set and rights are decided; collaborations show it as a badge. All others read `public_projects`. */
const KNOW_VISIBILITY = [
  'server/collaborators/store.ts',
  'server/database/migrations/',
  'server/database/rows.ts',
  'server/permissions/store.ts',
  'server/projects/present.ts',
  'server/projects/store.ts',
]

const sources = globSync('server/**/*.ts')
  .filter((path) => !/testing|\.test\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const isIn = (path: string, places: string[]) => places.some((place) => path.startsWith(place))

const usesEntries = /\b(?:from|join|into|update)\s+entries\b|(?:From|[jJ]oin|Into|Table)\('entries\b/
const selectsEntries = /\b(?:from|join)\s+entries\b|(?:selectFrom|[jJ]oin)\('entries\b/

const pathsWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('entries are read through the view of live entries, wherever they are shown, listed or counted', () => {
  expect(pathsWith(usesEntries).filter((path) => !isIn(path, KNOW_ENTRIES))).toEqual([])
  expect(pathsWith(selectsEntries)).not.toContain('server/entries/store.ts')
  expect(pathsWith(/\blive_entries\b/)).toContain('server/entries/store.ts')
})

test('public projects are read through their view: one statement decides what public means', () => {
  expect(pathsWith(/\bis_public\b/).filter((path) => !isIn(path, KNOW_VISIBILITY))).toEqual([])
  expect(pathsWith(/\bpublic_projects\b/)).toContain('server/world/store.ts')
})
