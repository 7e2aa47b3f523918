import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { fillIndex, gatherWords, warnWithoutTrigrams } from './upkeep.ts'

let t: TestApp
let ada: Person
beforeAll(async () => {
  t = await testApp()
  ada = await t.person()
  const { _id: projectId } = await t.project(ada)
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  await t.entry(ada, milestoneId, { title: 'Varnish', content: 'Dried overnight' })
  await t.entry(ada, milestoneId, { title: '木工', content: '木の椅子を作る。' })
  await fillIndex(t.deps.db)
  await gatherWords(t.deps.db)
})
afterAll(() => t.close())

async function warnings(): Promise<string[]> {
  const said: string[] = []
  const log = { warn: (message: unknown) => void said.push(String(message)) }
  const end = await warnWithoutTrigrams({ db: t.deps.db, log: log as never })
  await end()
  return said
}

it('a database with pg_trgm is nothing to warn of', async () => {
  expect(await warnings()).toEqual([])
})

it('without pg_trgm words, parts of words and slips after the first two letters are found, and the server says so at its start', async () => {
  await t.pool.query('drop extension pg_trgm cascade')
  expect(await warnings()).toEqual([expect.stringContaining('pg_trgm')])
  for (const [q, title] of [
    ['varn', 'Varnish'],
    ['"dried overnight"', 'Varnish'],
    ['rnish', 'Varnish'],
    ['vernight', 'Varnish'],
    ['varnsih', 'Varnish'],
    ['椅子', '木工'],
  ])
    expect((await t.call('search', { query: { q } }, { as: ada })).hits.map((hit) => hit.title.text)).toEqual(
      [title],
    )
  expect((await t.call('search', { query: { q: 'avrnish' } }, { as: ada })).hits).toEqual([])
})
