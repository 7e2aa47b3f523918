import { QueryClient, QueryObserver } from '@tanstack/react-query'
import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import type { Milestone } from '#contract/milestones.ts'
import { ApiError } from '#web/api/api-error.ts'
import type { OutboxDeps } from '#web/saving/outbox.ts'
import { type ShownChange, showAnswersIn } from '#web/saving/overlay.ts'
import { pendingChanges } from '#web/saving/pending.ts'
import { createTestPage, createTestStore } from '#web/saving/testing.ts'
import { showingMilestones } from './overlay.ts'

const milestone = (_id: string): Milestone => ({
  _id,
  title: _id,
  description: 'Strip by strip',
  completed: false,
  startsOn: null,
  dueOn: null,
  reachedAt: null,
  createdAt: '2026-11-28T10:00:00.000Z',
  updatedAt: '2026-11-28T10:00:00.000Z',
  version: 1,
  project: 'canoe',
  entryCount: 0,
})
const queryKey = ['milestones', 'canoe']
const meta = showingMilestones('canoe')
afterEach(() => pendingChanges.update([]))

/** A page that shows milestones, and sends changes. */
async function open(send: OutboxDeps['send'], fetched: Milestone[]) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } })
  const fetch = vi.fn<() => Promise<Milestone[]>>(async () => fetched)
  const observer = new QueryObserver(client, { queryKey, queryFn: fetch, meta })
  observer.subscribe(() => {})
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(fetched), { timeout: 60_000 })
  showAnswersIn(client)
  const { outbox } = createTestPage(createTestStore(), { send, pending: pendingChanges })
  await outbox.open('ada')
  const shown = () =>
    meta.overlay(
      client.getQueryData<Milestone[]>(queryKey) ?? [],
      pendingChanges.readShown() as unknown as ShownChange[],
      client,
    )
  return { client, outbox, shown, fetch }
}

const completing = (thing: string) =>
  ({
    id: `complete ${thing}`,
    call: 'updateMilestone',
    params: { projectId: 'canoe', milestoneId: thing },
    body: { completed: true },
    thing,
    base: 0,
    isOfForm: false,
  }) as const
const endless = { patience: 'endless', isStored: true } as const

test('a change is shown while it is sent, and its answer at the moment when it is not pending any more', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const { outbox, shown } = await open(() => promise, [milestone('hull')])
  const saved = outbox.add(completing('hull'), endless)
  await vi.waitFor(() => expect(shown()).toMatchObject([{ completed: true, version: 1 }]), {
    timeout: 60_000,
  })
  const seen: Milestone[][] = []
  pendingChanges.subscribe(() => seen.push(shown()))
  resolve({ ...milestone('hull'), completed: true, version: 2 })
  await saved
  expect(shown()).toMatchObject([{ completed: true, version: 2 }])
  for (const list of seen) expect(list).toMatchObject([{ completed: true }])
})

test('a refused change is not shown any more, and later ones stay', async () => {
  const refusal = new ApiError(403, 'forbidden', 'You may not')
  const { outbox, shown } = await open(
    async ({ thing }) => {
      if (thing === 'hull') throw refusal
      return new Promise(() => {})
    },
    [milestone('hull'), milestone('deck')],
  )
  const refused = outbox.add(completing('hull'), endless)
  void outbox.add(completing('deck'), endless)
  await expect(refused).rejects.toBe(refusal)
  expect(shown()).toMatchObject([{ completed: false }, { completed: true }])
})

test('what a stale change was refused for is shown in its place', async () => {
  const current = { ...milestone('hull'), title: 'Theirs', version: 4 }
  const { outbox, shown } = await open(
    () => Promise.reject(new ApiError(412, 'stale', 'Changed', { current })),
    [milestone('hull')],
  )
  await expect(outbox.add(completing('hull'), endless)).rejects.toMatchObject({ code: 'stale' })
  expect(shown()).toEqual([current])
})

test('what an older fetch brings after the answer is fetched again', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const { outbox, client, fetch } = await open(() => promise, [milestone('hull')])
  const old = Promise.withResolvers<Milestone[]>()
  fetch.mockReturnValueOnce(old.promise)
  const made = { ...milestone('hull'), completed: true, version: 2 }
  fetch.mockResolvedValueOnce([made])
  const saved = outbox.add(completing('hull'), endless)
  void client.invalidateQueries({ queryKey })
  resolve(made)
  await saved
  old.resolve([milestone('hull')])
  await vi.waitFor(() => expect(client.isFetching()).toBe(0), { timeout: 60_000 })
  expect(client.getQueryData(queryKey)).toEqual([made])
})

const id = fc.constantFrom('a', 'b', 'c', 'd')
const params = fc.record({ projectId: fc.constantFrom('canoe', 'kayak') })
const change = fc
  .oneof(
    fc.record({
      call: fc.constant('createMilestone'),
      thing: id,
      params,
      body: fc.constant({ title: 'New' }),
    }),
    fc.record({ call: fc.constant('deleteMilestone'), thing: id }),
    fc.record({
      call: fc.constant('moveMilestone'),
      thing: id,
      body: fc.record({ after: fc.option(id) }, { requiredKeys: [] }),
    }),
    fc.record({
      call: fc.constant('updateMilestone'),
      thing: id,
      body: fc.record({ title: fc.string(), completed: fc.boolean() }, { requiredKeys: [] }),
    }),
  )
  .map((made) => made as unknown as ShownChange)

const withoutTimes = (list: Milestone[]) =>
  list.map(({ createdAt: _made, updatedAt: _changed, reachedAt, ...rest }) => ({
    ...rest,
    isReached: reachedAt !== null,
  }))

test('a change that fetched milestones have already changes nothing', () => {
  fc.assert(
    fc.property(fc.uniqueArray(id), change, (ids, made) => {
      const client = new QueryClient()
      const once = meta.overlay(ids.map(milestone), [made], client)
      expect(withoutTimes(meta.overlay(once, [made], client))).toEqual(withoutTimes(once))
      expect(new Set(once.map(({ _id }) => _id)).size).toBe(once.length)
    }),
  )
})
