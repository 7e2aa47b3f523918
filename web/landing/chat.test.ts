import { expect, test } from 'vitest'
import { chatSchedule, ROTATION_MS } from './chat.ts'
import { conversations } from './voices.ts'

const sizes = conversations.map((messages) => messages.length)
const steps = chatSchedule(sizes)

function momentOf(group: number, shown: number): number {
  const index = steps.findIndex((step) => step.group === group && step.shown === shown)
  return steps.slice(0, index).reduce((sum, step) => sum + step.lasts, 0)
}

test('there are two conversations, and each is shown for eight seconds', () => {
  expect(sizes).toHaveLength(2)
  expect(momentOf(1, 0)).toBe(8_000)
  expect(steps.reduce((sum, step) => sum + step.lasts, 0)).toBe(2 * ROTATION_MS)
})

test('messages appear one and a half seconds apart', () => {
  expect([1, 2, 3, 4].map((shown) => momentOf(0, shown))).toEqual([1_500, 3_000, 4_500, 6_000])
  expect([1, 2, 3, 4].map((shown) => momentOf(1, shown))).toEqual([9_500, 11_000, 12_500, 14_000])
})

test('every message is preceded by its speaker typing', () => {
  const before = steps.filter((_, index) => (steps[index + 1]?.shown ?? 0) > (steps[index]?.shown ?? 0))
  expect(before.map((step) => step.typing)).toEqual(before.map(() => true))
  expect(before).toHaveLength(8)
})

test('after a message there is a second of silence before the next is typed', () => {
  const silences = steps.filter((step) => !step.typing && step.shown < (sizes[step.group] ?? 0))
  expect(silences.map((step) => step.lasts)).toEqual(Array(6).fill(1_000))
})

test('the whole conversation can be read for a moment before it is replaced', () => {
  expect(steps.filter((step) => step.shown === sizes[step.group]).map((step) => step.lasts)).toEqual([
    2_000, 2_000,
  ])
})
