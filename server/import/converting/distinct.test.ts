import { expect, test } from 'vitest'
import { createProblems, type Item } from '#server/import/items.ts'
import { distinct } from './distinct.ts'

const happened = { at: '2026-03-04T12:00:00.000Z', on: '2026-03-04', zone: 'UTC' }
const entry = (key: string, content: string, ref = `ref of ${key}`): Item => ({
  kind: 'entry',
  key,
  ref,
  path: `${key}, ${content}`,
  milestone: 'm',
  title: 'Keel',
  content,
  tags: [],
  isDraft: false,
  happened,
})
const project: Item = { kind: 'project', key: 'p', ref: 'p', title: 'Canoe', description: 'A canoe' }

async function distinctOf(items: Item[]) {
  const problems = createProblems()
  async function* all() {
    yield* items
  }
  const made: Item[] = []
  for await (const item of distinct(all(), problems)) made.push(item)
  return { made, problems: problems.list() }
}

test('a text that is twice in an archive comes once, and the plan says so', async () => {
  const { made, problems } = await distinctOf([project, entry('1', 'One'), project, entry('1', 'One')])
  expect(made).toEqual([project, entry('1', 'One')])
  expect(problems).toEqual([{ reason: 'it is in the archive twice', count: 1, paths: ['1, One'] }])
})

test('texts that differ all come, also with the same id, and under the same ids the next time', async () => {
  const items = [
    entry('1', 'One'),
    entry('1', 'Two'),
    entry('1', 'Copied', 'another file'),
    entry('2', 'Two'),
  ]
  const { made, problems } = await distinctOf(items)
  expect(problems).toEqual([])
  expect(made.map((item) => item.kind === 'entry' && item.content)).toEqual(['One', 'Two', 'Copied', 'Two'])
  for (const field of ['key', 'ref'] as const)
    expect(new Set(made.map((item) => item.kind !== 'version' && item[field])).size).toBe(4)
  expect(made[2]).toMatchObject({ ref: 'another file' })
  expect((await distinctOf(items)).made).toEqual(made)
})
