import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Stores that write, render, delete and restore entries. All others read `live_entries`. */
const KNOW_ENTRIES = [
  'server/account/deletion-store.ts',
  'server/backup/',
  'server/database/migrations/',
  'server/entries/bulk/tag-store.ts',
  'server/entries/importing-store.ts',
  'server/entries/rendering-store.ts',
  'server/entries/saving-store.ts',
  'server/files/access-store.ts',
  'server/files/use-store.ts',
  'server/history/importing-store.ts',
  'server/import/item-store.ts',
  'server/milestones/importing-store.ts',
  'server/trash/',
]

/** Stores that set visibility and decide rights; collaborations show it as a badge. All others read `public_projects`. */
const KNOW_VISIBILITY = [
  'server/collaborators/my-collaborations-store.ts',
  'server/database/migrations/',
  'server/database/rows/',
  'server/permissions/store.ts',
  'server/projects/present.ts',
  'server/projects/store.ts',
]

/** Stores that compare the author of a draft with its reader. All others read `live_entries`. */
const KNOW_DRAFTS = [
  'server/entries/schedule-store.ts',
  'server/database/migrations/',
  'server/database/rows/',
  'server/drafts/store.ts',
  'server/entries/page-store.ts',
  'server/entries/project-page-store.ts',
  'server/entries/saving-store.ts',
  'server/entries/store.ts',
  'server/entries/bulk/tag-store.ts',
  'server/export/store.ts',
  'server/files/',
  'server/history/',
  'server/import/item-store.ts',
  'server/presence/store.ts',
  'server/search/',
]

/** Stores that write, lock, delete and restore projects and milestones. All others read the live ones. */
const KNOW_DELETED = [
  'server/account/deletion-store.ts',
  'server/backup/',
  'server/collaborators/ownership-store.ts',
  'server/collaborators/store.ts',
  'server/database/migrations/',
  'server/files/use-store.ts',
  'server/import/item-store.ts',
  'server/milestones/importing-store.ts',
  'server/milestones/move-store.ts',
  'server/milestones/store.ts',
  'server/permissions/store.ts',
  'server/projects/importing-store.ts',
  'server/projects/store.ts',
  'server/quotas/store.ts',
  'server/trash/',
  'server/webhooks/delivery-store.ts',
]

const sources = globSync('server/**/*.ts')
  .filter((path) => !/testing|\.test\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const isIn = (path: string, prefixes: string[]) => prefixes.some((prefix) => path.startsWith(prefix))

const usesEntries = /\b(?:from|join|into|update)\s+entries\b|(?:From|[jJ]oin|Into|Table)\('entries\b/
const selectsEntries = /\b(?:from|join)\s+entries\b|(?:selectFrom|[jJ]oin)\('entries\b/

const usesProjects =
  /\b(?:from|join|into|update)\s+(?:projects|milestones)\b|(?:From|[jJ]oin|Into|Table)\('(?:projects|milestones)\b/

const pathsWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('entries are always shown, listed and counted through the view of live entries', () => {
  expect(pathsWith(usesEntries).filter((path) => !isIn(path, KNOW_ENTRIES))).toEqual([])
  expect(pathsWith(selectsEntries)).not.toContain('server/entries/saving-store.ts')
  expect(pathsWith(/\blive_entries\b/)).toContain('server/entries/store.ts')
})

test('drafts are read only by statements that compare their author with the reader', () => {
  expect(pathsWith(/\bentries_and_drafts\b/).filter((path) => !isIn(path, KNOW_DRAFTS))).toEqual([])
})

test('projects and milestones are read through the views that exclude deleted ones', () => {
  expect(pathsWith(usesProjects).filter((path) => !isIn(path, KNOW_DELETED))).toEqual([])
})

test('public projects are read through their view, and only that view decides which projects are public', () => {
  expect(pathsWith(/\bis_public\b/).filter((path) => !isIn(path, KNOW_VISIBILITY))).toEqual([])
  expect(pathsWith(/\bpublic_projects\b/)).toContain('server/public/store.ts')
})

/** Rooms whose SQL is not about rows of a feature: connections, jobs, events, locks, and the views themselves. */
const HAVE_SQL = ['server/database/', 'server/platform/']

test('has all its SQL in stores', () => {
  const outside = sources
    .filter(({ path }) => !path.endsWith('store.ts') && !isIn(path, HAVE_SQL))
    .filter(({ text }) => /\bsql[<`]|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/.test(text))
  expect(outside.map(({ path }) => path)).toEqual([])
})
