import { afterEach, expect, test, vi } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { sentenceOf } from '#web/entries/presence/other-editors.tsx'
import { changedBy, mergedWith } from './changed-by.ts'

const read = { _id: 'e1', updatedAt: '2026-11-22T12:00:00.000Z' } as Entry

/** The activity on the server, latest first: the actor, the minute and the entry. */
function respondWith(...rows: [name: string, minute: number, entry?: string, kind?: string][]) {
  const activity = rows.map(([name, minute, entry = 'e1', kind = 'entry_edited']) => ({
    kind,
    createdAt: `2026-11-22T12:${String(minute).padStart(2, '0')}:00.000Z`,
    actor: { name, isMe: name === 'Me' },
    entry: { _id: entry },
  }))
  vi.stubGlobal('fetch', async () => Response.json({ activity, next: null }))
}

afterEach(() => vi.unstubAllGlobals())

test('everybody who has edited the entry since it was read is named once', async () => {
  respondWith(
    ['Grace', 9],
    ['Linus', 8, 'another'],
    ['Ken', 7],
    ['Grace', 6],
    ['Ada', 5, 'e1', 'entry_moved'],
  )
  expect(await changedBy('p', read)).toBe('Grace and Ken')
  respondWith(['Grace', 9], ['Ken', 7], ['Me', 6])
  expect(await changedBy('p', read)).toBe('Grace, Ken and you')
})

test('the last editor is named, even if their edits began before it was read', async () => {
  respondWith(['Grace', 0], ['Ken', 0])
  expect(await changedBy('p', { ...read, updatedAt: '2026-11-22T12:30:00.000Z' })).toBe('Grace')
})

test('one’s own save, which merged the changes, is excluded', async () => {
  respondWith(['Me', 9], ['Grace', 8])
  const saved = { ...read, updatedAt: '2026-11-22T12:09:00.000Z' }
  expect(await changedBy('p', read, saved)).toBe('Grace')
})

test('nobody is named if the activity cannot be fetched', async () => {
  respondWith()
  expect(await changedBy('p', read)).toBe('somebody else')
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('offline')
  })
  expect(await changedBy('p', read)).toBe('somebody else')
})

test('one’s own changes from elsewhere are named as such', () => {
  expect(mergedWith('Grace')).toBe('Merged with changes by Grace')
  expect(mergedWith('you')).toBe('Merged with changes that you saved in another tab or on another device')
})

test('names other editors, up to two', () => {
  expect([[], ['Grace'], ['Grace', 'Ken'], ['Grace', 'Ken', 'Linus']].map(sentenceOf)).toEqual([
    '',
    'Grace is editing too',
    'Grace and Ken are editing too',
    'Grace and 2 others are editing too',
  ])
})
