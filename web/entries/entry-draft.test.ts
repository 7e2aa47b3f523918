import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BLANK, DRAFT_KEY, differ, keepDraft, readDraft, removeDraft } from './entry-draft.ts'

const text = { title: 'Rye', content: 'Fed the starter.', tags: ['bread'] }
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
  keepDraft({ ...text, version: 3 } as typeof text)
  expect(JSON.parse(stored.get(DRAFT_KEY) ?? '')).toEqual(text)
  expect(DRAFT_KEY).toBe('entryDraft')
  expect(readDraft()).toEqual(text)
})

test('tags alone are no draft', () => {
  expect(keepDraft({ ...BLANK, tags: ['bread'] })).toBe('none')
  expect(readDraft()).toBeNull()
})

test.each([{ title: 'Rye' }, { content: 'Fed' }])('%j alone is one', (part) => {
  expect(keepDraft({ ...BLANK, ...part })).toBe('kept')
  expect(readDraft()).toEqual({ ...BLANK, ...part })
})

test('a removed draft is gone', () => {
  keepDraft(text)
  removeDraft()
  expect(readDraft()).toBeNull()
})

test.each(['', '{', 'null', '[]', '{"title":1}', '{"title":"a","content":"b","tags":"c"}'])(
  'what is stored as %j is no draft',
  (json) => {
    stored.set(DRAFT_KEY, json)
    expect(readDraft()).toBeNull()
  },
)

test('a browser that forbids storage says so and harms nothing', () => {
  const forbid = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid, removeItem: forbid })
  expect(keepDraft(text)).toBe('cannot be kept')
  expect(readDraft()).toBeNull()
  expect(removeDraft).not.toThrow()
})

test('texts differ by title, content, tags and their order', () => {
  expect(differ(text, { ...text, tags: [...text.tags] })).toBe(false)
  expect(differ(text, { ...text, title: 'Wheat' })).toBe(true)
  expect(differ(text, { ...text, content: '' })).toBe(true)
  expect(differ(text, { ...text, tags: [] })).toBe(true)
  expect(differ({ ...text, tags: ['a', 'b'] }, { ...text, tags: ['b', 'a'] })).toBe(true)
})
