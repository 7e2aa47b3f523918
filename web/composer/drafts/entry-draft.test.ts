import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeDraft } from '#web/saving/drafts.ts'
import { BLANK, differ, entryKey, readEntryDraft, storeEntryDraft } from './entry-draft.ts'

const text = { title: 'Rye', content: 'Fed the starter.', tags: ['bread'] }
const origin = { milestoneId: 'loaf', milestoneTitle: 'The first loaf', projectTitle: 'A bakery' }
const keyOf = (personId: string | undefined) => entryKey(personId, undefined)
const keep = (draft: typeof text, personId: string) =>
  storeEntryDraft(keyOf(personId), { text: draft, choices: {}, origin })
const textBy = (personId: string | undefined) => readEntryDraft(keyOf(personId))?.text
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
  keep({ ...text, version: 3 } as typeof text, 'ada')
  expect(JSON.parse(stored.get('entryDraft') ?? '')).toEqual(text)
  expect(textBy('ada')).toEqual(text)
})

test('tags alone are not stored as a draft', () => {
  expect(keep({ ...BLANK, tags: ['bread'] }, 'ada')).toBe(true)
  expect(textBy('ada')).toBeUndefined()
})

test('a draft whose title and content were emptied is removed', () => {
  keep(text, 'ada')
  expect(keep({ ...BLANK, tags: ['bread'] }, 'ada')).toBe(true)
  expect([...stored]).toEqual([])
})

test('a draft is stored with its milestone, the chosen day and cover, and the id of what it becomes', () => {
  const draft = { text, choices: { day: '2024-02-29', coverFile: 'crumb' }, origin, id: 'e' }
  storeEntryDraft(keyOf('ada'), draft)
  expect(readEntryDraft(keyOf('ada'))).toMatchObject(draft)
})

test('the draft of an edit is stored with the version of its entry, and is not that of a new entry', () => {
  const draft = { text, choices: { place: { projectId: 'p', milestoneId: 'm' } }, version: 3 }
  storeEntryDraft(entryKey('ada', 'e'), draft)
  expect(readEntryDraft(entryKey('ada', 'e'))).toMatchObject(draft)
  expect(textBy('ada')).toBeUndefined()
  expect(stored.has('entryDraft')).toBe(false)
})

test.each([{ title: 'Rye' }, { content: 'Fed' }])('%j alone is stored as a draft', (part) => {
  expect(keep({ ...BLANK, ...part }, 'ada')).toBe(true)
  expect(textBy('ada')).toEqual({ ...BLANK, ...part })
})

test('a draft is only for its author, not for other users of this browser, and does not replace theirs', () => {
  keep(text, 'ada')
  expect(textBy('grace')).toBeUndefined()
  expect(textBy(undefined)).toBeUndefined()
  keep({ ...text, title: 'Wheat' }, 'grace')
  expect(textBy('ada')).toEqual(text)
  removeDraft(keyOf('ada'))
  expect(JSON.parse(stored.get('entryDraft') ?? '')).toMatchObject({ title: 'Wheat' })
  removeDraft(keyOf('grace'))
  expect([...stored]).toEqual([])
})

test('a draft without a known author is shown to everybody', () => {
  stored.set('entryDraft', JSON.stringify(text))
  expect(textBy('ada')).toEqual(text)
})

test('a removed draft is not read again', () => {
  keep(text, 'ada')
  removeDraft(keyOf('ada'))
  expect(textBy('ada')).toBeUndefined()
})

test.each(['', '{', 'null', '[]', '{"title":1}', '{"title":"a","content":"b","tags":"c"}'])(
  'the stored value %j is not a draft',
  (json) => {
    stored.set('entryDraft', json)
    expect(textBy('ada')).toBeUndefined()
  },
)

test('a browser that forbids storage is reported without an error', () => {
  const forbid = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: forbid, setItem: forbid, removeItem: forbid })
  expect(keep(text, 'ada')).toBe(false)
  expect(textBy('ada')).toBeUndefined()
  expect(() => removeDraft(keyOf('ada'))).not.toThrow()
})

test('texts differ if their titles, contents, tags or the order of tags differ', () => {
  expect(differ(text, { ...text, tags: [...text.tags] })).toBe(false)
  expect(differ(text, { ...text, title: 'Wheat' })).toBe(true)
  expect(differ(text, { ...text, content: '' })).toBe(true)
  expect(differ(text, { ...text, tags: [] })).toBe(true)
  expect(differ({ ...text, tags: ['a', 'b'] }, { ...text, tags: ['b', 'a'] })).toBe(true)
})
