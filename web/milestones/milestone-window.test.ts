import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UNSAVED } from '#web/saving/overlay.ts'
import { earlier, later, rangeToShow, windowOf } from './milestone-window.ts'

const list = (length: number) =>
  Array.from({ length }, (_, index) => ({ _id: `milestone-${index}`, version: 1 }))
const idAt = (index: number) => `milestone-${index}`

/** The first and the last shown milestone, and how many there are before and after them. */
function summary(
  milestones: ReturnType<typeof list>,
  selectedId?: string,
  range = rangeToShow(undefined, milestones, selectedId),
) {
  const { shown, ...further } = windowOf(milestones, range)
  return [further.earlier, shown.at(0)?._id, shown.at(-1)?._id, further.later]
}

describe('a long timeline', () => {
  it('begins with its first milestones, or those around the selected one', () => {
    expect(summary(list(200))).toEqual([0, idAt(0), idAt(59), 140])
    expect(summary(list(200), idAt(100))).toEqual([70, idAt(70), idAt(129), 70])
    expect(summary(list(200), idAt(199))).toEqual([140, idAt(140), idAt(199), 0])
    expect(summary(list(200), 'gone')).toEqual([0, idAt(0), idAt(59), 140])
  })

  it('is whole if it is short', () => {
    expect(summary(list(60), idAt(59))).toEqual([0, idAt(0), idAt(59), 0])
    expect(summary([])).toEqual([0, undefined, undefined, 0])
  })

  it('grows in both directions, and stays so while what is selected is shown', () => {
    const milestones = list(200)
    const range = later(earlier(rangeToShow(undefined, milestones, idAt(100))))
    expect(summary(milestones, idAt(150), range)).toEqual([10, idAt(10), idAt(189), 10])
    expect(rangeToShow(range, milestones, idAt(150))).toBe(range)
    expect(rangeToShow(range, milestones, undefined)).toBe(range)
  })

  it('shows a milestone that is being created', () => {
    const milestones = [...list(200), { _id: 'new', version: UNSAVED }]
    const range = rangeToShow(rangeToShow(undefined, list(200), undefined), milestones, undefined)
    expect(windowOf(milestones, range).shown.at(-1)).toBe(milestones.at(-1))
  })

  it('never is empty, and shows what is selected, whatever is added and deleted', () => {
    const step = fc.record({
      length: fc.integer({ min: 1, max: 300 }),
      selected: fc.option(fc.nat(300)),
      grow: fc.constantFrom(earlier, later, undefined),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), (steps) => {
        let range: ReturnType<typeof earlier> | undefined
        for (const { length, selected, grow } of steps) {
          const milestones = list(length)
          const selectedId = selected === null ? undefined : idAt(selected)
          range = rangeToShow(range, milestones, selectedId)
          const { shown, ...further } = windowOf(milestones, range)
          expect(shown.length).toBeGreaterThan(0)
          expect(further.earlier + shown.length + further.later).toBe(length)
          const isListed = selected !== null && selected < length
          expect(shown.some(({ _id }) => _id === selectedId)).toBe(isListed)
          // Shown again, it is the same.
          expect(rangeToShow(range, milestones, selectedId)).toBe(range)
          range = grow ? grow(range) : range
        }
      }),
    )
  })
})
