import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  BLANK,
  DRAFT_KEY,
  differ,
  keepDraft as keepDraftAt,
  readDraft,
  readDraftOrigin,
  removeDraft,
} from './entry-draft.ts'

const text = { title: 'Rye', content: 'Fed the starter.', tags: ['bread'] }
const origin = { milestoneId: 'loaf', milestoneTitle: 'The first loaf', projectTitle: 'A bakery' }
const keepDraft = (draft: typeof text, personId: string) => keepDraftAt(draft, personId, origin)
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

test('a draft lies under entryDraft with title, content and tags', () => {
  keepDraft({ ...text, version: 3 } as typeof text, 'ada')
  expect(JSON.parse(stored.get(DRAFT_KEY) ?? '')).toEqual(text)
  expect(DRAFT_KEY).toBe('entryDraft')
  expect(readDraft('ada')).toEqual(text)
})

test('tags alone are no draft', () => {
  expect(keepDraft({ ...BLANK, tags: ['bread'] }, 'ada')).toBe('none')
  expect(readDraft('ada')).toBeNull()
})

test('a draft whose title and content were emptied is removed', () => {
  keepDraft(text, 'ada')
  expect(keepDraft({ ...BLANK, tags: ['bread'] }, 'ada')).toBe('none')
  expect([...stored]).toEqual([])
})

test('beside a draft lies where it was begun', () => {
  keepDraft(text, 'ada')
  expect(readDraftOrigin()).toEqual(origin)
  removeDraft()
  expect(readDraftOrigin()).toBeNull()
})

test.each([{ title: 'Rye' }, { content: 'Fed' }])('%j alone is one', (part) => {
  expect(keepDraft({ ...BLANK, ...part }, 'ada')).toBe('kept')
  expect(readDraft('ada')).toEqual({ ...BLANK, ...part })
})

test('a draft is for the one who wrote it, not for who else uses this browser', () => {
  keepDraft(text, 'ada')
  expect(readDraft('grace')).toBeNull()
  expect(readDraft(undefined)).toBeNull()
  expect(readDraft('ada')).toEqual(text)
  keepDraft({ ...text, title: 'Wheat' }, 'grace')
  expect(readDraft('ada')).toBeNull()
  removeDraft()
  expect([...stored]).toEqual([])
})

test('a draft of which nobody is known to be the writer is anybody’s', () => {
  stored.set(DRAFT_KEY, JSON.stringify(text))
  expect(readDraft('ada')).toEqual(text)
})

test('a removed draft is gone', () => {
  keepDraft(text, 'ada')
  removeDraft()
  expect(readDraft('ada')).toBeNull()
})

test.each(['', '{', 'null', '[]', '{"title":1}', '{"title":"a","content":"b","tags":"c"}'])(
  'what is stored as %j is no draft',
  (json) => {
    stored.set(DRAFT_KEY, json)
    expect(readDraft('ada')).toBeNull()
  },
)

test('a browser that forbids storage says so and harms nothing', () => {
  const forbid = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid, removeItem: forbid })
  expect(keepDraft(text, 'ada')).toBe('cannot be kept')
  expect(readDraft('ada')).toBeNull()
  expect(removeDraft).not.toThrow()
})

test('texts differ by title, content, tags and their order', () => {
  expect(differ(text, { ...text, tags: [...text.tags] })).toBe(false)
  expect(differ(text, { ...text, title: 'Wheat' })).toBe(true)
  expect(differ(text, { ...text, content: '' })).toBe(true)
  expect(differ(text, { ...text, tags: [] })).toBe(true)
  expect(differ({ ...text, tags: ['a', 'b'] }, { ...text, tags: ['b', 'a'] })).toBe(true)
})
