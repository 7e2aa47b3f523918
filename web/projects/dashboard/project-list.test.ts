import { expect, test } from 'vitest'
import { matching } from './project-list.tsx'

const canoe = { title: 'A cedar-strip canoe', description: 'One strip at a time.' }
const bread = { title: 'Sourdough', description: 'Feed the STARTER every morning.' }
const all = [canoe, bread]

test.each([
  ['', all],
  ['   ', all],
  ['CEDAR', [canoe]],
  ['starter', [bread]],
  ['canoe ', [canoe]],
  ['e', all],
  ['strip.*time', []],
  ['kayak', []],
])('searching for "%s"', (term, found) => {
  expect(matching(all, term)).toEqual(found)
})
