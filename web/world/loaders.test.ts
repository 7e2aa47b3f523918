import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import type { World } from '#contract/world.ts'
import { type Answer, answerContext } from '#web/api/answer.server.ts'
import { aMilestone, anEntry, aWorld } from './testing.ts'
import { loader as loadEntry } from './world-entry-screen.tsx'
import { loader as loadProject } from './world-project-screen.tsx'

const ORIGIN = 'https://milepost.example'
const world = aWorld([
  aMilestone({ _id: 'first', entries: [anEntry({ _id: 'one' })] }),
  aMilestone({ _id: 'second' }),
])

/** A visit to an address of a server on which `known` is the only public project. */
function visit<Params>(path: string, params: Params, known: World | null = world) {
  const context = new RouterContextProvider()
  const answer = async () => {
    if (known) return known
    throw Object.assign(new Error('Project not found'), { code: 'not_found', status: 404 })
  }
  context.set(answerContext, answer as unknown as Answer)
  const url = new URL(path, ORIGIN)
  return { context, params, url, request: new Request(url), pattern: '' }
}

const visitProject = (query: string, known?: World | null) =>
  loadProject({ ...visit(`/world/p${query}`, { projectId: 'p' }, known), pattern: '/world/:projectId' })

const visitEntry = (entryId: string, known?: World | null) =>
  loadEntry({
    ...visit(`/world/p/entries/${entryId}`, { projectId: 'p', entryId }, known),
    pattern: '/world/:projectId/entries/:entryId',
  })

test.each([
  ['', '/world/p'],
  ['?milestone=first', '/world/p'],
  ['?milestone=second&from=mail', '/world/p?milestone=second'],
  ['?milestone=gone&page=7', '/world/p'],
])('a project visited at %j has its own address', async (query, own) => {
  expect((await visitProject(query)).canonical).toBe(ORIGIN + own)
})

test('an entry has its own address, whatever follows it', async () => {
  expect((await visitEntry('one')).canonical).toBe(`${ORIGIN}/world/p/entries/one`)
})

test('what is not public or not there is a 404', async () => {
  const missing = { init: { status: 404 } }
  await expect(visitProject('', null)).rejects.toMatchObject(missing)
  await expect(visitEntry('one', null)).rejects.toMatchObject(missing)
  await expect(visitEntry('gone')).rejects.toMatchObject(missing)
})
