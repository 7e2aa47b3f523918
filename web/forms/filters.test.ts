import { expect, test } from 'vitest'
import { afterArrival } from './filters.ts'

test('a search that reaches the URL after more was typed does not replace the typed text', () => {
  expect(afterArrival(['ro', 'ros'], 'ro')).toEqual({ isOwn: true, rest: ['ros'] })
})

test('a search that a later one interrupted is not waited for', () => {
  expect(afterArrival(['r', 'ro', 'ros'], 'ros')).toEqual({ isOwn: true, rest: [] })
})

test('a search that Back or a link brings replaces the typed text', () => {
  expect(afterArrival(['ro'], 'rye')).toEqual({ isOwn: false, rest: [] })
})
