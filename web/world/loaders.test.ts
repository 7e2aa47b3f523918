import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import type { RunCall } from '#contract/rendering.ts'
import { runCallContext } from '#web/api/run-call.server.ts'
import { markupContext } from '#web/markdown/send-markup.server.ts'
import { loader as loadEntry } from './entry/world-entry-screen.tsx'
import { loader as loadProject } from './project/world-project-screen.tsx'
import { aWorldEntry, aWorldPage } from './testing.ts'

const ORIGIN = 'https://milepost.example'
const FIRST = '0199f1f0-0000-7000-8000-000000000001'
const SECOND = '0199f1f0-0000-7000-8000-000000000002'

type Query = { milestone?: string; page?: number }

/** A server with one public project, whose second milestone has three pages; `absent`: a server without public projects. */
const answers =
  (absent: boolean) =>
  async (name: string, { query }: { query?: Query }) => {
    if (absent) throw Object.assign(new Error('Project not found'), { code: 'not_found', status: 404 })
    if (name === 'readWorldEntry')
      return aWorldEntry({ _id: 'one', html: '<p>It <strong>rose</strong>.</p>' })
    const shown = query?.milestone === SECOND ? SECOND : FIRST
    return aWorldPage([FIRST, SECOND], {
      _id: shown,
      page: shown === SECOND ? Math.min(query?.page ?? 1, 3) : 1,
    })
  }

function visit<Params>(path: string, params: Params, absent = false) {
  const context = new RouterContextProvider()
  context.set(runCallContext, answers(absent) as unknown as RunCall)
  const url = new URL(path, ORIGIN)
  return { context, params, url, request: new Request(url), pattern: '' }
}

const visitProject = (query: string, absent?: boolean) =>
  loadProject({ ...visit(`/world/p${query}`, { projectId: 'p' }, absent), pattern: '/world/:projectId' })

const entryVisit = (absent?: boolean) => ({
  ...visit('/world/p/entries/one', { projectId: 'p', entryId: 'one' }, absent),
  pattern: '/world/:projectId/entries/:entryId' as const,
})

test.each([
  ['', '/world/p'],
  [`?milestone=${FIRST}`, '/world/p'],
  [`?milestone=${SECOND}&from=mail`, `/world/p?milestone=${SECOND}`],
  [`?milestone=${SECOND}&page=2`, `/world/p?milestone=${SECOND}&page=2`],
  [`?page=9&milestone=${SECOND}`, `/world/p?milestone=${SECOND}&page=3`],
  ['?milestone=gone&page=7', '/world/p'],
  ['?page=two', '/world/p'],
  ['?page=-1', '/world/p'],
])('a project visited at %j has its own URL', async (query, own) => {
  expect((await visitProject(query)).data.canonical).toBe(ORIGIN + own)
})

test('an entry has its own URL', async () => {
  expect((await loadEntry(entryVisit())).data.canonical).toBe(`${ORIGIN}/world/p/entries/one`)
})

test('the HTML of an entry is in the page, or in the data if there is no page', async () => {
  const { context, ...rest } = entryVisit()
  expect((await loadEntry({ context, ...rest })).data.html).toContain('<strong>rose</strong>')
  const carried = new Map<string, string>()
  context.set(markupContext, carried)
  expect((await loadEntry({ context, ...rest })).data.html).toBeUndefined()
  expect(carried.get('one')).toContain('<strong>rose</strong>')
})

test('private and missing resources return 404', async () => {
  const missing = { init: { status: 404 } }
  await expect(visitProject('', true)).rejects.toMatchObject(missing)
  await expect(loadEntry(entryVisit(true))).rejects.toMatchObject(missing)
})
