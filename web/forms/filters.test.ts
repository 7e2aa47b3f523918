import { expect, test } from 'vitest'
import { reconcileSearch } from './filters.ts'

test('a search that reaches the URL after more was typed does not replace the typed text', () => {
  expect(reconcileSearch(['ro', 'ros'], 'ro')).toEqual({ isOwn: true, rest: ['ros'] })
})

test('a search that a later one interrupted is not waited for', () => {
  expect(reconcileSearch(['r', 'ro', 'ros'], 'ros')).toEqual({ isOwn: true, rest: [] })
})

test('a search that Back or a link brings replaces the typed text', () => {
  expect(reconcileSearch(['ro'], 'rye')).toEqual({ isOwn: false, rest: [] })
})
