import { expect, test } from 'vitest'
import { parseSearch, withoutFilter } from './search-query.ts'

test.each([
  ['tag：木工 椅子', [['tag', '木工']], '椅子'],
  ['in:"My boat" oak', [['in', 'My boat']], 'oak'],
  ['in：「木の船」 oak', [['in', '木の船']], 'oak'],
  ['tag:＂wood work＂', [['tag', 'wood work']], ''],
  ['TAG:Oak', [['tag', 'Oak']], ''],
  ['login:oak begin:', [], 'login:oak begin:'],
  ['in:"My boat', [['in', 'My boat']], ''],
])('%s has the filters %j', (search, filters, words) => {
  const parsed = parseSearch(search)
  expect(parsed.filters.map(({ name, value }) => [name, value])).toEqual(filters)
  expect(parsed.words).toBe(words)
})

test.each([
  ['tag:ab tag:a', 1, 'tag:ab'],
  ['tag:a tag:a', 0, 'tag:a'],
  ['oak tag:a pine', 0, 'oak pine'],
  ['oak -in:"My boat"', 0, 'oak'],
  ['by:me', 0, ''],
])('%s without its filter %i is %j', (search, index, rest) => {
  const filter = parseSearch(search).filters[index]
  expect(filter && withoutFilter(search, filter)).toBe(rest)
})

test.each([
  ['"second co', true],
  ['"second coat"', false],
  ['„second coat“ oak', false],
  ['-"second co', false],
  ['oak', false],
])('of %s the last phrase is still being typed: %j', (search, isOpen) => {
  expect(parseSearch(search).isOpen).toBe(isOpen)
})
