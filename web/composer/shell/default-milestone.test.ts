import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Milestone } from '#contract/milestones.ts'
import type { Permissions } from '#contract/permissions.ts'
import { entryKey, storeEntryDraft } from '#web/composer/drafts/entry-draft.ts'
import { milestonesQuery } from '#web/milestones/queries.ts'
import { permissionsQuery, writableProjectsQuery } from '#web/projects/queries.ts'
import { findMilestone } from './default-milestone.ts'
import { rememberMilestone } from './last-milestone.ts'

const ME = 'ada'
const rights = (canView: boolean, canEdit: boolean): Permissions => ({
  canView,
  canEdit,
  canManageCollaborators: false,
  isOwner: false,
  role: null,
})
const milestone = (_id: string, completed = false) => ({ _id, title: _id, completed }) as Milestone

let client: QueryClient

function has(projectId: string, permissions: Permissions, milestones: Milestone[]) {
  client.setQueryData(permissionsQuery(projectId).queryKey, permissions)
  client.setQueryData(milestonesQuery(projectId).queryKey, milestones)
}

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  has('canoe', rights(true, true), [milestone('lumber')])
  has('boat', rights(true, true), [milestone('keel'), milestone('hull'), milestone('launch', true)])
  has('empty', rights(true, true), [])
  has('read', rights(true, false), [milestone('sail')])
  client.setQueryData(writableProjectsQuery.queryKey, [{ _id: 'canoe', title: 'Canoe', lastEntry: null }])
  rememberMilestone(ME, { projectId: 'canoe', milestoneId: 'lumber' })
})
afterEach(() => vi.unstubAllGlobals())

const on = (projectId: string, more: object = {}) => ({ projectId, isPublicPage: false, ...more })
const find = (screen: Parameters<typeof findMilestone>[2]) => findMilestone(client, ME, screen)

test('the milestone on the screen, not the one that was written in last', async () => {
  expect(await find(on('boat', { milestoneId: 'keel' }))).toEqual({ projectId: 'boat', milestoneId: 'keel' })
  expect(await find(on('boat', { milestoneId: 'launch' }))).toMatchObject({ milestoneId: 'launch' })
})

test('without a milestone on the screen, the newest open one of its project', async () => {
  expect(await find(on('boat'))).toEqual({ projectId: 'boat', milestoneId: 'hull' })
  expect(await find(on('boat', { milestoneId: 'deleted' }))).toMatchObject({ milestoneId: 'hull' })
})

test('without a milestone on the screen, the one of this project that was written in last', async () => {
  rememberMilestone(ME, { projectId: 'boat', milestoneId: 'keel' })
  expect(await find(on('boat'))).toEqual({ projectId: 'boat', milestoneId: 'keel' })
})

test('a draft for another project does not lead there from the screen of a project', async () => {
  const origin = { projectId: 'canoe', milestoneId: 'lumber', milestoneTitle: '', projectTitle: '' }
  storeEntryDraft(entryKey(ME, undefined), {
    text: { title: 'Half a thought', content: '', tags: [] },
    choices: {},
    origin,
  })
  expect(await find(on('boat'))).toMatchObject({ projectId: 'boat' })
  expect(await find(null)).toMatchObject({ projectId: 'canoe' })
})

test('where nothing can be written, no other project takes its place', async () => {
  expect(await find(on('empty'))).toEqual({ projectId: 'empty', reason: 'no milestones' })
  expect(await find(on('read'))).toEqual({ projectId: 'read', reason: 'viewer' })
})

test('screens of no project, and public pages of somebody else, lead to the last milestone', async () => {
  const usual = { projectId: 'canoe', milestoneId: 'lumber' }
  expect(await find(null)).toEqual(usual)
  expect(await find(on('read', { isPublicPage: true }))).toEqual(usual)
  expect(await find(on('boat', { isPublicPage: true }))).toEqual({ projectId: 'boat', milestoneId: 'hull' })
})

test('in another browser, the milestone of the latest entry, as on the dashboard', async () => {
  localStorage.removeItem(`lastWrittenIn/${ME}`)
  const wrote = (_id: string, milestone: string, day: number) => ({
    _id,
    title: _id,
    lastEntry: { _id: 'entry', milestone, title: 'Rye', publishedAt: `2026-11-0${day}T08:00:00.000Z` },
  })
  const projects = [wrote('canoe', 'lumber', 1), wrote('boat', 'keel', 3), wrote('read', 'sail', 5)]
  client.setQueryData(writableProjectsQuery.queryKey, projects)
  expect(await find(null)).toEqual({ projectId: 'boat', milestoneId: 'keel' })
})
