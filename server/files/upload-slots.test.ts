import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { createUploadSlots, type Slot, type UploadSlots } from './upload-slots.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const MB = 1_000_000

let slots: UploadSlots
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  slots = createUploadSlots({ ofAll: 8, bytesOfAll: 100 * MB })
})
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => void vi.advanceTimersByTime(ms)

const begin = (person: string, size = 10 * MB) =>
  slots.acquire(clientNamed(person), { name: `of ${person}`, size })
const endOf = ({ ended }: Slot) => (ended.aborted ? ended.reason.code : 'goes on')

describe('uploads of one person', () => {
  it('are refused beyond four at a time, until one of them ends', () => {
    const [first] = Array.from({ length: 4 }, () => begin('ada'))
    expect(() => begin('ada')).toThrow('Your earlier uploads are still being processed.')
    first?.release()
    begin('ada')
  })

  it('that occupy all slots are evicted for others, the slowest first', () => {
    const greedy = ['ada', 'grace'].flatMap((person) => Array.from({ length: 4 }, () => begin(person)))
    pass(2 * MINUTE)
    for (const [index, slot] of greedy.entries()) slot.count(index === 5 ? 1 : 3 * MB)
    begin('edith')
    expect(greedy.map(endOf)).toEqual(greedy.map((_slot, index) => (index === 5 ? 'unavailable' : 'goes on')))
    begin('mary')
    expect(greedy.slice(0, 4).map(endOf)).toContain('unavailable')
  })

  it('are refused if everybody has as few as the requester would have', () => {
    for (let n = 0; n < 8; n += 1) begin(`person ${n}`)
    expect(() => begin('ada')).toThrow('The server is busy.')
  })
})

describe('a full disk', () => {
  it('counts the bytes that have arrived, not the declared size', () => {
    for (let n = 0; n < 4; n += 1) begin('ada', 1_000 * MB).count(1)
    const small = begin('grace')
    small.count(10 * MB)
    expect(endOf(small)).toBe('goes on')
  })

  it('evicts the largest upload of the person with the most bytes', () => {
    const large = [begin('ada', 60 * MB), begin('ada', 60 * MB)]
    const other = begin('grace', 60 * MB)
    large[0]?.count(40 * MB)
    large[1]?.count(30 * MB)
    other.count(20 * MB)
    other.count(20 * MB)
    expect([...large, other].map(endOf)).toEqual(['unavailable', 'goes on', 'goes on'])
  })

  it('evicts neither a complete upload nor the only one', () => {
    const only = begin('ada', 500 * MB)
    only.count(450 * MB)
    expect(endOf(only)).toBe('goes on')
    only.arrived()
    const later = begin('grace')
    later.count(1)
    expect([only, later].map(endOf)).toEqual(['goes on', 'unavailable'])
  })
})

describe('a slow upload', () => {
  /** Simulates an upload of this size at this speed, and returns how it ends and how long it took. */
  function send(size: number, perSecond: number) {
    const slot = begin('ada', size)
    for (let sent = 0; sent < size; sent += perSecond) {
      slot.count(Math.min(perSecond, size - sent))
      pass(SECOND)
      slots.endSlow()
      if (slot.ended.aborted) return slot.ended.reason.code
    }
    slot.release()
    return 'arrived'
  }

  it.each([
    ['a picture at 20 kB/s', 5 * MB, 20_000, 'arrived'],
    ['a picture at 10 kB/s', 5 * MB, 10_000, 'too_slow'],
    ['a video at 60 kB/s', 200 * MB, 60_000, 'arrived'],
    ['a video at 20 kB/s', 200 * MB, 20_000, 'too_slow'],
    ['a note at 100 B/s', 20_000, 100, 'arrived'],
  ])('%s', (_what, size, perSecond, outcome) => {
    slots = createUploadSlots()
    expect(send(size, perSecond)).toBe(outcome)
  })

  it('that stalls is aborted even if no more bytes arrive, and frees its slot', () => {
    const still = begin('ada')
    pass(MINUTE)
    slots.endSlow()
    expect(endOf(still)).toBe('goes on')
    pass(5 * SECOND)
    slots.endSlow()
    expect(endOf(still)).toBe('too_slow')
    expect(slots.isIdle()).toBe(true)
  })

  it('is not aborted while it waits for its inspection', () => {
    const slot = begin('ada')
    slot.count(10 * MB)
    slot.arrived()
    pass(60 * MINUTE)
    slots.endSlow()
    expect(endOf(slot)).toBe('goes on')
  })
})
