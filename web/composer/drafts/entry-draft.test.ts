import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readChoices } from '#web/composer/shell/use-entry-form.ts'
import {
  BLANK,
  DRAFT_KEY,
  differ,
  readDraftOrigin,
  readNewEntryDraft,
  removeNewEntryDraft,
  storeNewEntryDraft as storeDraftAt,
} from './entry-draft.ts'

const text = { title: 'Rye', content: 'Fed the starter.', tags: ['bread'] }
const origin = { milestoneId: 'loaf', milestoneTitle: 'The first loaf', projectTitle: 'A bakery' }
const storeNewEntryDraft = (draft: typeof text, personId: string) => storeDraftAt(draft, personId, origin)
let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('a draft is stored under entryDraft with title, content and tags', () => {
  storeNewEntryDraft({ ...text, version: 3 } as typeof text, 'ada')
  expect(JSON.parse(stored.get(DRAFT_KEY) ?? '')).toEqual(text)
  expect(DRAFT_KEY).toBe('entryDraft')
  expect(readNewEntryDraft('ada')).toEqual(text)
})

test('tags alone are not stored as a draft', () => {
  expect(storeNewEntryDraft({ ...BLANK, tags: ['bread'] }, 'ada')).toBe('none')
  expect(readNewEntryDraft('ada')).toBeNull()
})

test('a draft whose title and content were emptied is removed', () => {
  storeNewEntryDraft(text, 'ada')
  expect(storeNewEntryDraft({ ...BLANK, tags: ['bread'] }, 'ada')).toBe('none')
  expect([...stored]).toEqual([])
})

test('a draft is stored with its milestone', () => {
  storeNewEntryDraft(text, 'ada')
  expect(readDraftOrigin()).toEqual(origin)
  removeNewEntryDraft()
  expect(readDraftOrigin()).toBeNull()
})

test('a draft is stored with the chosen day and cover', () => {
  const chosen = { day: '2024-02-29', coverFile: 'crumb' }
  storeDraftAt(text, 'ada', { ...origin, ...chosen })
  expect(readChoices(undefined, 'ada')).toEqual(chosen)
  expect(readChoices(undefined, 'grace')).toEqual({})
})

test.each([{ title: 'Rye' }, { content: 'Fed' }])('%j alone is stored as a draft', (part) => {
  expect(storeNewEntryDraft({ ...BLANK, ...part }, 'ada')).toBe('stored')
  expect(readNewEntryDraft('ada')).toEqual({ ...BLANK, ...part })
})

test('a draft is only for its author, not for other users of this browser', () => {
  storeNewEntryDraft(text, 'ada')
  expect(readNewEntryDraft('grace')).toBeNull()
  expect(readNewEntryDraft(undefined)).toBeNull()
  expect(readNewEntryDraft('ada')).toEqual(text)
  storeNewEntryDraft({ ...text, title: 'Wheat' }, 'grace')
  expect(readNewEntryDraft('ada')).toBeNull()
  removeNewEntryDraft()
  expect([...stored]).toEqual([])
})

test('a draft without a known author is shown to everybody', () => {
  stored.set(DRAFT_KEY, JSON.stringify(text))
  expect(readNewEntryDraft('ada')).toEqual(text)
})

test('a removed draft is not read again', () => {
  storeNewEntryDraft(text, 'ada')
  removeNewEntryDraft()
  expect(readNewEntryDraft('ada')).toBeNull()
})

test.each(['', '{', 'null', '[]', '{"title":1}', '{"title":"a","content":"b","tags":"c"}'])(
  'the stored value %j is not a draft',
  (json) => {
    stored.set(DRAFT_KEY, json)
    expect(readNewEntryDraft('ada')).toBeNull()
  },
)

test('a browser that forbids storage is reported without an error', () => {
  const forbid = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid, removeItem: forbid })
  expect(storeNewEntryDraft(text, 'ada')).toBe('not stored')
  expect(readNewEntryDraft('ada')).toBeNull()
  expect(removeNewEntryDraft).not.toThrow()
})

test('texts differ if their titles, contents, tags or the order of tags differ', () => {
  expect(differ(text, { ...text, tags: [...text.tags] })).toBe(false)
  expect(differ(text, { ...text, title: 'Wheat' })).toBe(true)
  expect(differ(text, { ...text, content: '' })).toBe(true)
  expect(differ(text, { ...text, tags: [] })).toBe(true)
  expect(differ({ ...text, tags: ['a', 'b'] }, { ...text, tags: ['b', 'a'] })).toBe(true)
})
