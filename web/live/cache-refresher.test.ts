import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { entriesKey } from '#web/entries/keys.ts'
import { milestonesQuery } from '#web/milestones/queries.ts'
import { notificationsKey } from '#web/notifications/queries.ts'
import { myProjectsQuery, permissionsQuery, projectQuery } from '#web/projects/queries.ts'
import { createCacheRefresher } from './cache-refresher.ts'

const ID = '0199f1f0-0000-7000-8000-000000000000'
const project = { type: 'project', projectId: ID } as const

let client: QueryClient
let refresher: ReturnType<typeof createCacheRefresher>
/** The user's rights in the project on the server. */
let rights: { canView: boolean }

beforeEach(() => {
  client = new QueryClient()
  refresher = createCacheRefresher(client, new AbortController().signal)
  rights = { canView: true }
  vi.stubGlobal('fetch', async () => Response.json(rights))
})

afterEach(() => vi.unstubAllGlobals())

/** A query that the page shows: its data and the number of fetches since. */
function shown(
  queryKey: readonly unknown[],
  data: unknown,
  read = vi.fn<() => Promise<unknown>>(async () => data),
) {
  client.setQueryData(queryKey, data)
  new QueryObserver(client, { queryKey, queryFn: read, staleTime: 60_000, retry: false }).subscribe(() => {})
  return read
}

const milestone = { _id: 'm1' }
const trailKey = milestonesQuery(ID).queryKey

test('an event refetches the shown queries of its project and of no other', async () => {
  const trail = shown(trailKey, [milestone])
  const entries = shown([...entriesKey('m1'), 'pages'], {})
  const mine = shown(myProjectsQuery.queryKey, [])
  const others = [
    shown(milestonesQuery('other').queryKey, []),
    shown(entriesKey('m2'), []),
    shown(notificationsKey, []),
  ]
  await refresher.refresh(project)
  for (const read of [trail, entries, mine]) expect(read).toHaveBeenCalledOnce()
  for (const read of others) expect(read).not.toHaveBeenCalled()
})

test('a notifications event refetches only the notifications', async () => {
  const [bell, mine] = [shown(notificationsKey, []), shown(myProjectsQuery.queryKey, [])]
  await refresher.refresh({ type: 'notifications' })
  expect(bell).toHaveBeenCalledOnce()
  expect(mine).not.toHaveBeenCalled()
})

test('everything shown is refetched after an interruption', async () => {
  client.setQueryData(permissionsQuery(ID).queryKey, { canView: true } as never)
  const reads = [shown(trailKey, []), shown(notificationsKey, []), shown(myProjectsQuery.queryKey, [])]
  await refresher.refresh({ type: 'ready' })
  for (const read of reads) expect(read).toHaveBeenCalledOnce()
})

test('a project that may no longer be viewed is dropped from the cache', async () => {
  client.setQueryData(permissionsQuery(ID).queryKey, { canView: true } as never)
  client.setQueryData(projectQuery(ID).queryKey, { title: 'Secret' } as never)
  client.setQueryData(trailKey, [milestone] as never)
  client.setQueryData([...entriesKey('m1'), 'pages'], 'Secret')
  rights = { canView: false }
  await refresher.refresh(project)
  const left = client.getQueryCache().getAll()
  expect(JSON.stringify(left.map(({ state }) => state.data ?? null))).not.toContain('Secret')
  expect(client.getQueryData(permissionsQuery(ID).queryKey)).toEqual({ canView: false })
})

test('a deleted project is dropped from the cache', async () => {
  client.setQueryData(permissionsQuery(ID).queryKey, { canView: true } as never)
  client.setQueryData(projectQuery(ID).queryKey, { title: 'Secret' } as never)
  const body = { code: 'not_found', message: 'Project not found' }
  vi.stubGlobal('fetch', async () => Response.json(body, { status: 404 }))
  await refresher.refresh(project)
  expect(client.getQueryData(projectQuery(ID).queryKey)).toBeUndefined()
})

test('events that arrive faster than responses are not lost and do not delay a response', async () => {
  let answer = () => {}
  const slow = vi.fn<() => Promise<unknown>>(
    () => new Promise((resolve) => (answer = () => resolve([milestone]))),
  )
  shown(trailKey, [], slow)
  const first = refresher.refresh(project)
  await vi.waitFor(() => expect(slow).toHaveBeenCalledOnce(), { timeout: 60_000 })
  await Promise.all([refresher.refresh(project), refresher.refresh(project)])
  expect(slow).toHaveBeenCalledOnce()
  answer()
  await vi.waitFor(() => expect(slow).toHaveBeenCalledTimes(2), { timeout: 60_000 })
  answer()
  await first
  expect(client.getQueryData(trailKey)).toEqual([milestone])
})
