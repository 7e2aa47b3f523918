import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ignoreCompositionKeys } from './compositions.ts'

let page: EventTarget
let seen: string[]
let stop: () => void

beforeEach(() => {
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  stop = ignoreCompositionKeys()
  seen = []
  page.addEventListener('keydown', (event) => seen.push((event as KeyboardEvent).key))
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

function dispatch(type: string, fields: object) {
  page.dispatchEvent(
    Object.defineProperties(
      new Event(type),
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { value }])),
    ),
  )
}

test.each([
  { isComposing: true, keyCode: 27 },
  { isComposing: false, keyCode: 229 },
])('the Escape of a composition (%j) reaches no handler', (fields) => {
  dispatch('keydown', { key: 'Escape', timeStamp: 1, ...fields })
  expect(seen).toEqual([])
})

test('nor does the key that ended one, where its event comes afterwards, and only that', () => {
  dispatch('compositionend', { timeStamp: 1_000 })
  dispatch('keydown', { key: 'Enter', keyCode: 13, isComposing: false, timeStamp: 1_002 })
  dispatch('keydown', { key: 'Enter', keyCode: 13, isComposing: false, timeStamp: 1_050 })
  expect(seen).toEqual(['Enter'])
})

test('keys without a composition, and those that an input method only reports, reach the page', () => {
  dispatch('keydown', { key: 'Escape', keyCode: 27, isComposing: false, timeStamp: 1 })
  dispatch('keydown', { key: 'Process', keyCode: 229, isComposing: false, timeStamp: 2 })
  dispatch('compositionend', { timeStamp: 1_000 })
  dispatch('keyup', { key: 'Enter', timeStamp: 1_001 })
  dispatch('keydown', { key: 'Enter', keyCode: 13, isComposing: false, timeStamp: 1_090 })
  expect(seen).toEqual(['Escape', 'Process', 'Enter'])
})
