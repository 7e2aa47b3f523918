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
  const event = new Event(type, { cancelable: true })
  for (const [name, value] of Object.entries(fields)) Object.defineProperty(event, name, { value })
  page.dispatchEvent(event)
  return event
}

test.each([
  { isComposing: true, keyCode: 27 },
  { isComposing: true, keyCode: 229 },
  { isComposing: false, keyCode: 229 },
])('the Escape of a composition (%j) reaches no handler, and closes no popover', (fields) => {
  expect(dispatch('keydown', { key: 'Escape', ...fields }).defaultPrevented).toBe(true)
  expect(seen).toEqual([])
})

test('the Enter that confirms a conversion reaches no handler, also after the end of the composition, as in Safari', () => {
  dispatch('compositionend', { timeStamp: 1_000 })
  const confirmed = dispatch('keydown', { key: 'Enter', keyCode: 229, isComposing: false, timeStamp: 1_002 })
  expect(confirmed.defaultPrevented).toBe(false)
  dispatch('keydown', { key: 'Enter', keyCode: 13, isComposing: false, timeStamp: 1_050 })
  expect(seen).toEqual(['Enter'])
})

test.each([
  ['the Enter that ends a Korean syllable', 'Enter', 13],
  ['an arrow that ends one', 'ArrowLeft', 37],
  ['the letter typed quickly after an accent', 'x', 88],
])('%s comes after the end of the composition, and is meant', (_, key, keyCode) => {
  dispatch('keydown', { key, keyCode: 229, isComposing: true, timeStamp: 1_000 })
  dispatch('compositionend', { timeStamp: 1_001 })
  const meant = dispatch('keydown', { key, keyCode, isComposing: false, timeStamp: 1_002 })
  expect(seen).toEqual([key])
  expect(meant.defaultPrevented).toBe(false)
})

test('keys without a composition, and those that an input method only reports, reach the page', () => {
  dispatch('keydown', { key: 'Escape', keyCode: 27, isComposing: false })
  dispatch('keydown', { key: 'Process', keyCode: 229, isComposing: false })
  dispatch('keydown', { key: 'Unidentified', keyCode: 229, isComposing: true })
  expect(seen).toEqual(['Escape', 'Process', 'Unidentified'])
})
