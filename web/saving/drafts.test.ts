import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { isReplaced, NEW_ENTRY, readDraft, removeDraft, storeDraft } from './drafts.ts'
import { clearInterrupted, isInterrupted, markInterrupted } from './interrupted.ts'

const schema = z.object({ title: z.string() })
const adas = { form: 'project/new', personId: 'ada' }

function storage() {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
})
afterEach(() => void vi.unstubAllGlobals())

test('a draft is restored until it is saved or discarded', () => {
  expect(storeDraft(adas, { fields: { title: 'Canoe' } })).toBe(true)
  expect(readDraft(adas, schema)?.fields).toEqual({ title: 'Canoe' })
  removeDraft(adas)
  expect(readDraft(adas, schema)).toBeNull()
})

test('a draft is shown only to its writer, and in its own form', () => {
  storeDraft(adas, { fields: { title: 'Canoe' } })
  expect(readDraft({ ...adas, personId: 'grace' }, schema)).toBeNull()
  expect(readDraft({ ...adas, form: 'project/1' }, schema)).toBeNull()
})

test('a draft with other fields is ignored', () => {
  storeDraft(adas, { fields: { name: 'Canoe' } })
  expect(readDraft(adas, schema)).toBeNull()
})

const anyText = z.object({ title: z.string() })

test('what former versions of the app have stored is still there', () => {
  const put = (value: unknown) => localStorage.setItem('unsaved/project/new/ada', JSON.stringify(value))
  const based = schema.extend({ version: z.number() }).nullish()
  put({ typed: { title: 'Canoe' }, original: { title: 'Boat', version: 3 }, id: 'p' })
  expect(readDraft(adas, schema, based)).toMatchObject({
    fields: { title: 'Canoe' },
    base: { title: 'Boat', version: 3 },
    id: 'p',
  })
  put({ title: 'Canoe', version: 3 })
  expect(readDraft(adas, schema, based)).toMatchObject({ fields: { title: 'Canoe' }, base: { version: 3 } })
  put('Canoe')
  expect(readDraft(adas, z.string())?.fields).toBe('Canoe')
  const text = { title: 'Rye', content: 'It rose.', tags: [] }
  localStorage.setItem('entryDraft', JSON.stringify(text))
  localStorage.setItem('entryDraftWriter', 'ada')
  localStorage.setItem('entryDraftOrigin', JSON.stringify({ milestoneId: 'm', day: '2024-02-29', id: 'e' }))
  const entry = z.object({
    title: z.string(),
    day: z.string(),
    origin: z.object({ milestoneId: z.string() }),
  })
  const fields = { title: 'Rye', day: '2024-02-29', origin: { milestoneId: 'm' } }
  expect(readDraft({ form: NEW_ENTRY, personId: 'ada' }, entry)).toMatchObject({ fields, id: 'e' })
  expect(readDraft({ form: NEW_ENTRY, personId: 'grace' }, entry)).toBeNull()
  const edit = { form: 'entry/e', personId: 'ada' }
  localStorage.setItem('unsaved/entry/e/ada', JSON.stringify({ fields: text, base: { version: 1 }, at: 7 }))
  localStorage.setItem('draftSync/ada/e', JSON.stringify({ id: 'd', version: 2, saved: 'digest', heldAt: 5 }))
  expect(readDraft(edit, anyText)?.copy).toEqual({ id: 'd', version: 2, isSaved: false })
  removeDraft(edit)
  expect(localStorage.getItem('draftSync/ada/e')).toBeNull()
})

test('a draft that another tab stores once more is not replaced', () => {
  const stored = (title: string) => {
    storeDraft(adas, { fields: { title } })
    return localStorage.getItem('unsaved/project/new/ada')
  }
  const event = (oldValue: string | null, newValue: string | null) =>
    ({ storageArea: localStorage, key: 'unsaved/project/new/ada', oldValue, newValue }) as StorageEvent
  const [first, other] = [stored('Canoe'), stored('Kayak')]
  const again = JSON.stringify({ ...JSON.parse(first ?? ''), copy: { id: 'd', version: 2, isSaved: true } })
  expect(isReplaced(adas, event(first, again))).toBe(false)
  expect(isReplaced(adas, event(first, other))).toBe(true)
  expect(isReplaced(adas, event(first, null))).toBe(true)
  expect(isReplaced({ ...adas, form: 'project/1' }, event(first, other))).toBe(false)
})

test('the form that an expired session closed is reopened only for its writer, once', () => {
  markInterrupted(adas)
  expect(isInterrupted({ ...adas, personId: 'grace' })).toBe(false)
  expect(isInterrupted({ ...adas, form: 'project/1' })).toBe(false)
  expect(isInterrupted(adas)).toBe(true)
  clearInterrupted()
  expect(isInterrupted(adas)).toBe(false)
})

test('a browser that forbids storage is reported and breaks nothing', () => {
  const forbid = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  const forbidden = { getItem: forbid, setItem: forbid, removeItem: forbid }
  vi.stubGlobal('localStorage', forbidden)
  vi.stubGlobal('sessionStorage', forbidden)
  expect(storeDraft(adas, { fields: { title: 'Canoe' } })).toBe(false)
  expect(readDraft(adas, schema)).toBeNull()
  expect(isInterrupted(adas)).toBe(false)
  for (const run of [() => removeDraft(adas), () => markInterrupted(adas), clearInterrupted]) {
    expect(run).not.toThrow()
  }
})
