import { expect, it } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { between } from './use-selection.ts'

const entries = ['a', 'b', 'c', 'd'].map((_id) => ({ _id }) as Entry)
const idsBetween = (from: string | null, to: string) =>
  between(entries, from, { _id: to } as Entry).map(({ _id }) => _id)

it('chooses from the last pressed entry to this one, in either direction', () => {
  expect(idsBetween('b', 'd')).toEqual(['b', 'c', 'd'])
  expect(idsBetween('d', 'b')).toEqual(['b', 'c', 'd'])
  expect(idsBetween('b', 'b')).toEqual(['b'])
})

it('chooses this one alone if the last one is on another page, or there is none', () => {
  expect(idsBetween(null, 'c')).toEqual(['c'])
  expect(idsBetween('z', 'c')).toEqual(['c'])
})
