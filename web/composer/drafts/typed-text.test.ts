import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { digestOf } from '#web/api/text-digest.ts'
import { forgetTyped, isForgotten, storeTypedAgain, typedKeys, unsentKeys } from '#web/api/typed-text.ts'
import { storeFormDraft } from '#web/forms/form-drafts.ts'
import { storeRecord } from './draft-record.ts'
import { storeNewEntryDraft } from './entry-draft.ts'

const text = { title: 'Rye', content: 'It rose.', tags: [] }
const origin = { milestoneId: 'm', milestoneTitle: 'Loaf', projectTitle: 'Bakery' }

/** A storage whose keys are its properties, as in a browser. */
class FakeStorage {
  [key: string]: unknown
  getItem = (key: string) => this[key] ?? null
  setItem = (key: string, value: string) => {
    this[key] = value
  }
  removeItem = (key: string) => {
    delete this[key]
  }
}

function fakeStorage() {
  const storage = new FakeStorage()
  for (const name of ['getItem', 'setItem', 'removeItem'])
    Object.defineProperty(storage, name, { enumerable: false })
  return storage
}

let stored: FakeStorage
let ofTab: FakeStorage

beforeEach(() => {
  stored = fakeStorage()
  ofTab = fakeStorage()
  vi.stubGlobal('localStorage', stored)
  vi.stubGlobal('sessionStorage', ofTab)
})
afterEach(() => vi.unstubAllGlobals())

const write = (personId: string) => [
  storeNewEntryDraft(text, personId, origin) === 'stored',
  storeFormDraft({ form: 'project/new', personId }, { title: 'Secret' }),
  storeFormDraft({ form: 'entry/e', personId }, { ...text, version: 1 }),
]

test('after signing out, nothing that a person typed is stored, also not by a tab that is being closed', () => {
  write('ada')
  ofTab.setItem('signInTyped', '{"email":"ada@example.org"}')
  stored.setItem('theme', 'dark')
  expect(typedKeys('ada')).toHaveLength(3)
  forgetTyped('ada')
  expect(write('ada')).toEqual([false, false, false])
  const everything = JSON.stringify([stored, ofTab])
  for (const typed of ['Rye', 'rose', 'Secret', 'example.org', 'Bakery'])
    expect(everything).not.toContain(typed)
  expect(stored.getItem('theme')).toBe('dark')
  storeTypedAgain()
  expect(isForgotten('ada')).toBe(false)
  expect(write('ada')).toEqual([true, true, true])
})

test('what others keep in this browser stays', () => {
  write('grace')
  storeFormDraft({ form: 'project/new', personId: 'ada' }, { title: 'Secret' })
  expect(typedKeys('ada')).toEqual(['unsaved/project/new/ada'])
  ofTab.setItem('interruptedForm', 'unsaved/project/new/grace')
  forgetTyped('ada')
  expect(typedKeys('grace')).toHaveLength(3)
  expect(ofTab.getItem('interruptedForm')).toBe('unsaved/project/new/grace')
  forgetTyped('grace')
  expect(ofTab.getItem('interruptedForm')).toBeNull()
})

test('a text that the server has is no reason to ask', () => {
  write('ada')
  const acknowledge = (entryId: string | undefined) =>
    storeRecord({ personId: 'ada', entryId }, { id: 'd', version: 2, saved: digestOf(text) })
  const unsent = () => unsentKeys('ada')
  expect(unsent()).toHaveLength(3)
  acknowledge(undefined)
  acknowledge('e')
  expect(unsent()).toEqual(['unsaved/project/new/ada'])
  storeNewEntryDraft({ ...text, content: 'It fell.' }, 'ada', origin)
  expect(unsent()).toContain('entryDraft')
})
