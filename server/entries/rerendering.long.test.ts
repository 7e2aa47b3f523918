import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Renderer } from '#server/markdown/renderer.ts'
import { testRenderer } from '#server/markdown/testing.ts'
import { createJobs } from '#server/platform/jobs.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { startRerendering } from './rerendering.ts'

const ENTRIES = 12
const log = pino({ level: 'silent' })
const schemas = async () =>
  (await t.pool.query(`select nspname from pg_namespace`)).rows.map(({ nspname }) => nspname)

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  const author = await t.person()
  const milestone = await t.milestone(author, (await t.project(author))._id)
  for (let n = 0; n < ENTRIES; n += 1)
    await t.entry(author, milestone._id, { content: `It rose *${n}* times.` })
})
afterAll(() => t.close())

const all = async () =>
  (await t.pool.query(`select html, renderer from entry_renderings order by entry_id`)).rows
const entries = async () => (await t.pool.query(`select * from entries order by id`)).rows

/** A server of which only the jobs matter, on the same database. */
function aServer() {
  const render = vi.fn<Renderer['render']>(testRenderer.render)
  const jobs = createJobs(
    { db: t.deps.db, log },
    { pollSeconds: 0.5, retrySeconds: 1, longestPauseSeconds: 1 },
  )
  const means = { db: t.deps.db, renderer: { ...testRenderer, render }, jobs }
  return { jobs, render, start: () => startRerendering(means, { batch: 5, shiftMs: 0 }) }
}

test('no job starts if everything is rendered', async () => {
  await aServer().start()
  expect(await schemas()).not.toContain('jobs')
})

test('servers that start together render each outdated entry once, and change nothing else', async () => {
  const [rendered, written] = [await all(), await entries()]
  await t.pool.query(`delete from entry_renderings where word_count > 0 and html like '%<em>1%'`)
  await t.pool.query(`update entry_renderings set renderer = 0, html = 'old'`)
  const servers = [aServer(), aServer()]
  const ends = await Promise.all(servers.map((server) => server.start()))
  await vi.waitFor(async () => expect(await all()).toEqual(rendered), { timeout: 60_000, interval: 100 })
  expect(servers.flatMap(({ render }) => render.mock.calls)).toHaveLength(ENTRIES)
  expect(await entries()).toEqual(written)
  await Promise.all(ends.map((end) => end()))
  await Promise.all(servers.map(({ jobs }) => jobs.stop()))
})
