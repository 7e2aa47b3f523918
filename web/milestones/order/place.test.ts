import { assert, constantFrom, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { atIndex, atPlace, indexUnder, placeOf } from './place.ts'

const list = ['a', 'b', 'c', 'd'].map((_id) => ({ _id }))
const text = (items: readonly { _id: string }[]) => items.map(({ _id }) => _id).join('')

test('an item moves to an index, at most to an end', () => {
  expect([-1, 0, 1, 3, 9].map((index) => text(atIndex(list, 'b', index)))).toEqual([
    'bacd',
    'bacd',
    'abcd',
    'acdb',
    'acdb',
  ])
})

test('a place leads to the same order, however often it is applied', () => {
  const ids = constantFrom('a', 'b', 'c', 'd')
  assert(
    property(ids, nat(3), (id, index) => {
      const moved = atIndex(list, id, index)
      const place = placeOf(moved, id)
      expect(atPlace(list, place)).toEqual(moved)
      expect(atPlace(moved, place)).toEqual(moved)
    }),
  )
})

test('an item stays if what it should follow was deleted meanwhile', () => {
  expect(text(atPlace(list, { id: 'b', after: 'gone' }))).toBe('abcd')
})

test('a dragged item comes after all whose middle is above the pointer', () => {
  const boxes = [0, 100, 200].map((top) => ({ top, height: 100 }))
  expect([-20, 49, 51, 160, 999].map((y) => indexUnder(y, boxes))).toEqual([0, 0, 1, 2, 3])
})
