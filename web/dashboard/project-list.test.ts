import { expect, test } from 'vitest'
import { groupProjects, matching } from './project-list.tsx'

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

const project = (day: number, wroteOn: number | null, completed: number, milestones: number) => ({
  createdAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
  lastEntry:
    wroteOn === null
      ? null
      : {
          _id: 'e',
          milestone: 'm',
          title: 'x',
          publishedAt: new Date(Date.UTC(2026, 0, wroteOn)).toISOString(),
        },
  milestoneCount: milestones,
  completedMilestoneCount: completed,
})

test('the most recently written project is first, creation counts as writing, and finished ones are separate', () => {
  const old = project(1, 20, 199, 200)
  const fresh = project(10, null, 0, 0)
  const quiet = project(5, 6, 1, 3)
  const done = project(2, 3, 1, 1)
  const doneLater = project(1, 4, 2, 2)
  expect(groupProjects([quiet, done, fresh, doneLater, old])).toEqual({
    current: [old, fresh, quiet],
    finished: [doneLater, done],
  })
})

test('accents, case and the composition of letters do not matter', () => {
  const list = [{ title: 'Über Nacht', description: '한글 café' }]
  for (const term of ['uber nacht', 'ÜBER', 'CAFE', '한글 café', '한글 café'.normalize('NFD')])
    expect(matching(list, term)).toEqual(list)
  expect(matching(list, 'unter')).toEqual([])
})
