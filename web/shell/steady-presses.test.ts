import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPressScheduler } from './steady-presses.ts'

let page: EventTarget
let drawn: string[]
let scheduler: ReturnType<typeof createPressScheduler>

beforeEach(() => {
  vi.useFakeTimers()
  page = new EventTarget()
  drawn = []
  scheduler = createPressScheduler(page, (callback) => callback())
})
afterEach(() => {
  scheduler.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const draw = (what: string) => scheduler.schedule(() => drawn.push(what))
const send = (type: string) => page.dispatchEvent(new Event(type))

test('what arrives during a press is drawn after its click, in order', () => {
  draw('before')
  send('pointerdown')
  draw('first')
  draw('second')
  send('pointerup')
  expect(drawn).toEqual(['before'])
  page.addEventListener('click', () => drawn.push('the click'))
  send('click')
  vi.advanceTimersByTime(0)
  expect(drawn).toEqual(['before', 'the click', 'first', 'second'])
  draw('after')
  expect(drawn.at(-1)).toBe('after')
})

test('a click that follows a touch late still comes first', () => {
  send('pointerdown')
  draw('data')
  send('pointerup')
  vi.advanceTimersByTime(200)
  expect(drawn).toEqual([])
  send('click')
  vi.advanceTimersByTime(0)
  expect(drawn).toEqual(['data'])
})

test.each([
  ['held down', 1_000, () => {}],
  ['dragged away', 300, () => send('pointerup')],
  ['scrolled', 0, () => send('pointercancel')],
])('a press that is %s keeps nothing back for long', (_name, milliseconds, end) => {
  send('pointerdown')
  draw('data')
  end()
  vi.advanceTimersByTime(milliseconds)
  expect(drawn).toEqual(['data'])
})

test('the space bar on a button is a press, in a text it is not', () => {
  class Control extends EventTarget {
    isButton = false
    matches = () => this.isButton
  }
  vi.stubGlobal('Element', Control)
  scheduler.stop()
  const control = new Control()
  scheduler = createPressScheduler(control, (callback) => callback())
  const space = () => control.dispatchEvent(Object.assign(new Event('keydown'), { key: ' ' }))
  space()
  draw('while typing')
  control.isButton = true
  space()
  draw('while pressing')
  expect(drawn).toEqual(['while typing'])
  scheduler.stop()
  expect(drawn).toEqual(['while typing', 'while pressing'])
})
