import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  draftsOf,
  forgetSaved,
  isForgotten,
  NEW_ENTRY,
  storeDraft,
  storeDraftsAgain,
  unsentForms,
} from './drafts.ts'
import { forgetTyped } from './interrupted.ts'

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
  storeDraft({ form: NEW_ENTRY, personId }, { fields: { ...text, origin } }),
  storeDraft({ form: 'project/new', personId }, { fields: { title: 'Secret' } }),
  storeDraft({ form: 'entry/e', personId }, { fields: text, base: { version: 1 } }),
]

test('after signing out, nothing that a person typed is stored, also not by a tab that is being closed', () => {
  write('ada')
  ofTab.setItem('signInTyped', '{"email":"ada@example.org"}')
  stored.setItem('theme', 'dark')
  expect(draftsOf('ada')).toHaveLength(3)
  forgetTyped('ada')
  expect(write('ada')).toEqual([false, false, false])
  const everything = JSON.stringify([stored, ofTab])
  for (const typed of ['Rye', 'rose', 'Secret', 'example.org', 'Bakery'])
    expect(everything).not.toContain(typed)
  expect(stored.getItem('theme')).toBe('dark')
  storeDraftsAgain()
  expect(isForgotten('ada')).toBe(false)
  expect(write('ada')).toEqual([true, true, true])
})

test('what others keep in this browser stays, also if they write a new entry, too', () => {
  write('ada')
  write('grace')
  ofTab.setItem('interruptedForm', 'unsaved/project/new/grace')
  expect(draftsOf('ada')).toHaveLength(3)
  forgetTyped('ada')
  expect(draftsOf('grace')).toHaveLength(3)
  expect(stored.getItem('entryDraft')).toContain('Rye')
  expect(ofTab.getItem('interruptedForm')).toBe('unsaved/project/new/grace')
  forgetTyped('grace')
  expect(ofTab.getItem('interruptedForm')).toBeNull()
  expect(stored.getItem('entryDraft')).toBeNull()
})

test('a text that the server has is no reason to ask', () => {
  write('ada')
  const acknowledge = (form: string, isSaved = true) =>
    storeDraft({ personId: 'ada', form }, { fields: text, copy: { id: 'd', version: 2, isSaved } })
  const unsent = () => unsentForms('ada')
  expect(unsent()).toHaveLength(3)
  acknowledge(NEW_ENTRY)
  acknowledge('entry/e')
  expect(unsent()).toEqual(['project/new'])
  acknowledge(NEW_ENTRY, false)
  expect(unsent()).toContain(NEW_ENTRY)
})

test('the draft of what an earlier page has saved goes, unless something was typed since', () => {
  write('ada')
  const forms = () => draftsOf('ada').map(({ key }) => key.form)
  forgetSaved('ada', 'e', { ...text, content: 'It fell.' })
  expect(forms()).toContain('entry/e')
  forgetSaved('ada', 'e', text)
  expect(forms()).not.toContain('entry/e')
  storeDraft({ form: NEW_ENTRY, personId: 'ada' }, { fields: text, id: 'created' })
  forgetSaved('ada', 'created', { ...text, milestone: 'm' })
  expect(forms()).toEqual(['project/new'])
})
