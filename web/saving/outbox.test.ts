import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#web/api/api-error.ts'
import type { OutboxDeps, ResumedChange } from './outbox.ts'
import type { NewChange } from './record.ts'
import { createChangeStore } from './store.ts'
import { createTestPage, createTestStore } from './testing.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const down = new ApiError(503, 'unavailable', 'Not right now')
const forbidden = new ApiError(403, 'forbidden', 'You may not')
const send = vi.fn<OutboxDeps['send']>()
const store = createTestStore()

beforeEach(() => {
  send.mockReset()
  store.records.clear()
})

async function open(deps: Partial<OutboxDeps> = {}) {
  const page = createTestPage(store, { send, ...deps })
  await page.outbox.open('ada')
  return page
}

let ids = 0
const change = (fields: Partial<NewChange>): NewChange => {
  ids += 1
  const { thing = 'canoe' } = fields
  return {
    id: `change ${ids}`,
    call: 'updateMilestone',
    params: { projectId: 'p', milestoneId: thing },
    body: { completed: true },
    thing,
    base: 0,
    isOfForm: false,
    ...fields,
  }
}
const creation = (thing: string, params: Record<string, string> = {}) =>
  change({ call: 'createMilestone', thing, params, body: { _id: thing }, isOfForm: true })
const later = { patience: 'endless', isStored: true } as const
const sent = () => send.mock.calls.map(([{ thing, body }]) => [thing, body])
const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

test('a change outlives its page, and is sent by the next one under its id', async () => {
  const first = await open()
  send.mockRejectedValue(down)
  void first.outbox.add(change({}), later)
  await vi.advanceTimersByTimeAsync(100)
  first.kill()
  const [id] = send.mock.calls.map(([record]) => record.id)
  send.mockReset()
  send.mockResolvedValue({})
  const resumed: ResumedChange[] = []
  const next = createTestPage(store, { send })
  next.outbox.onResumed = (outcome) => resumed.push(outcome)
  await next.outbox.open('ada')
  await vi.runAllTimersAsync()
  expect(send.mock.calls.map(([record, isRepeated]) => [record.id, isRepeated])).toEqual([[id, true]])
  expect(resumed).toMatchObject([{ record: { id } }])
  expect([...store.records]).toEqual([])
})

test('a change is stored as sent before its request, and not altered afterwards', async () => {
  const { outbox } = await open()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  send.mockReturnValue(promise)
  const saving = outbox.add(change({ body: { completed: true } }), later)
  await vi.advanceTimersByTimeAsync(0)
  expect([...store.records.values()]).toMatchObject([{ isSent: true, body: { completed: true } }])
  const after = outbox.add(change({ body: { completed: false } }), later)
  await vi.advanceTimersByTimeAsync(0)
  expect([...store.records.values()]).toMatchObject([
    { isSent: true, body: { completed: true } },
    { isSent: false, body: { completed: false } },
  ])
  resolve({})
  await Promise.all([saving, after])
  expect(sent()).toEqual([
    ['canoe', { completed: true }],
    ['canoe', { completed: false }],
  ])
})

test('a value that was not sent is replaced by the next one', async () => {
  const { outbox } = await open()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  send.mockReturnValueOnce(promise)
  send.mockResolvedValue('last')
  const values = [true, false, true, false].map((completed) =>
    outbox.add(change({ body: { completed } }), later),
  )
  await vi.advanceTimersByTimeAsync(0)
  resolve('first')
  expect(await Promise.all(values)).toEqual(['first', 'last', 'last', 'last'])
  expect(send).toHaveBeenCalledTimes(2)
})

test('changes of one thing keep their order, and others do not wait for them', async () => {
  const { outbox } = await open()
  send.mockImplementation(async ({ thing }) => (thing === 'canoe' ? Promise.reject(down) : {}))
  void outcomeOf(outbox.add(change({ body: { title: 'A' } }), later))
  void outcomeOf(outbox.add(change({ body: { completed: true } }), later))
  await outbox.add(change({ thing: 'kayak' }), later)
  expect(sent().filter(([thing]) => thing === 'canoe')).toEqual([['canoe', { title: 'A' }]])
  send.mockResolvedValue({})
  await vi.runAllTimersAsync()
  expect(sent().at(-1)).toEqual(['canoe', { completed: true }])
})

test('what belongs to something new waits for it, and is refused with it', async () => {
  const { outbox } = await open()
  const { promise, reject } = Promise.withResolvers<unknown>()
  send.mockReturnValue(promise)
  const parent = outcomeOf(outbox.add(creation('hull'), later))
  const child = outcomeOf(outbox.add(creation('keel', { milestoneId: 'hull' }), later))
  await vi.advanceTimersByTimeAsync(0)
  expect(send).toHaveBeenCalledOnce()
  reject(forbidden)
  expect(await Promise.all([parent, child])).toEqual([forbidden, forbidden])
  expect(send).toHaveBeenCalledOnce()
  expect(outbox.pending.read()).toEqual([])
})

test('all that belongs to something new is given up with it, and not sent without it', async () => {
  const { outbox } = await open()
  send.mockRejectedValue(new ApiError(0, 'unreachable', 'No connection'))
  const brief = { patience: 'brief', isStored: true } as const
  const parts = [creation('keel', { milestoneId: 'hull' }), creation('deck', { milestoneId: 'hull' })]
  const outcomes = [creation('hull'), ...parts].map((made) => outcomeOf(outbox.add(made, brief)))
  await vi.runAllTimersAsync()
  expect(await Promise.all(outcomes)).toMatchObject(outcomes.map(() => ({ code: 'unreachable' })))
  expect(new Set(sent().map(([thing]) => thing))).toEqual(new Set(['hull']))
})

test('what an earlier page has changed in something new is reported if it is given up with that', async () => {
  const first = await open()
  send.mockRejectedValue(down)
  void outcomeOf(first.outbox.add(creation('hull'), later))
  void outcomeOf(first.outbox.add(change({ thing: 'hull' }), later))
  await vi.advanceTimersByTimeAsync(100)
  first.kill()
  const next = createTestPage(store, { send })
  const resumed: ResumedChange[] = []
  next.outbox.onResumed = (outcome) => resumed.push(outcome)
  const { promise, reject } = Promise.withResolvers<unknown>()
  send.mockReturnValue(promise)
  await next.outbox.open('ada')
  void next.outbox.hold('hull')
  await vi.advanceTimersByTimeAsync(0)
  reject(down)
  await vi.runAllTimersAsync()
  expect(next.outbox.ofForm('hull')).toHaveLength(1)
  expect(resumed).toMatchObject([{ record: { call: 'updateMilestone' }, error: down }])
})

test('a text waits for the files that it shows', async () => {
  const { outbox } = await open()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  send.mockReturnValueOnce(promise)
  send.mockResolvedValue({})
  const files = { files: [{ _id: 'picture' }] }
  void outbox.add(change({ call: 'reserveFiles', thing: 'files', params: {}, body: files }), later)
  const entry = outbox.add(
    change({
      call: 'createEntry',
      thing: 'entry',
      params: {},
      body: { _id: 'entry', content: '![](picture)' },
    }),
    later,
  )
  await vi.advanceTimersByTimeAsync(0)
  expect(sent().map(([thing]) => thing)).toEqual(['files'])
  resolve({})
  await entry
  expect(sent().map(([thing]) => thing)).toEqual(['files', 'entry'])
})

test('at most two requests are sent at once', async () => {
  const { outbox } = await open()
  send.mockReturnValue(new Promise(() => {}))
  for (const thing of ['a', 'b', 'c']) void outbox.add(change({ thing }), later)
  await vi.advanceTimersByTimeAsync(0)
  expect(send).toHaveBeenCalledTimes(2)
})

test('what was created and deleted before it was sent is never sent', async () => {
  const { outbox } = await open()
  send.mockReturnValue(new Promise(() => {}))
  for (const thing of ['a', 'b']) void outbox.add(change({ thing }), later)
  void outcomeOf(outbox.add(creation('hull'), later))
  await outbox.add(change({ call: 'deleteMilestone', thing: 'hull', body: undefined }), later)
  expect(outbox.pending.read().map(({ record }) => record.thing)).toEqual(['a', 'b'])
})

test('a server that asks for a pause gets it', async () => {
  const { outbox } = await open()
  send.mockRejectedValueOnce(new ApiError(429, 'too_many_requests', 'Slow', { retryAfterMs: 30_000 }))
  send.mockResolvedValue({})
  void outbox.add(change({}), later)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(send).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(send).toHaveBeenCalledTimes(2)
})

test('what a form has sent is held for it when the form is open again', async () => {
  const { outbox } = await open()
  send.mockRejectedValue(new ApiError(0, 'unreachable', 'No connection'))
  const outcome = outcomeOf(outbox.add(creation('hull'), { patience: 'brief', isStored: true }))
  await vi.runAllTimersAsync()
  expect(await outcome).toMatchObject({ code: 'unreachable' })
  const times = send.mock.calls.length
  await open()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(send).toHaveBeenCalledTimes(times)
})

test('what a form sends again is sent by the next page, too, and before what follows it', async () => {
  const brief = { patience: 'brief', isStored: true } as const
  const { outbox, kill } = await open()
  send.mockRejectedValue(down)
  const first = outcomeOf(outbox.add(change({ isOfForm: true, body: { title: 'A' } }), brief))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await first).toBe(down)
  const [{ id } = { id: '' }] = outbox.ofForm('canoe')
  void outcomeOf(outbox.resume(id))
  void outcomeOf(outbox.add(change({ isOfForm: true, body: { title: 'B' }, base: 1 }), brief))
  await vi.advanceTimersByTimeAsync(10)
  kill()
  send.mockReset()
  send.mockResolvedValue({})
  const records = structuredClone([...store.records])
  for (const isHeld of [false, true]) {
    store.records.clear()
    // The browser may have been killed before it stored that the first one is not held any more.
    for (const [key, record] of records)
      store.records.set(key, key === id ? { ...record, isHeld: isHeld || record.isHeld } : record)
    send.mockClear()
    await open()
    await vi.runAllTimersAsync()
    expect(sent().map(([, body]) => body)).toEqual([{ title: 'A' }, { title: 'B' }])
  }
  store.records.clear()
  store.records.set(id, { ...(records[0] as (typeof records)[number])[1] })
  send.mockClear()
  await open()
  await vi.runAllTimersAsync()
  expect(sent(), 'alone').toEqual([['canoe', { title: 'A' }]])
})

test('the changes of one person are neither seen nor sent by the next, and continue with the first', async () => {
  const { outbox } = await open()
  send.mockRejectedValue(down)
  const outcome = outcomeOf(outbox.add(change({}), later))
  await vi.advanceTimersByTimeAsync(5_000)
  outbox.close()
  expect(await outcome).toMatchObject({ code: 'not_signed_in' })
  await outbox.open('grace')
  send.mockReset()
  send.mockResolvedValue({})
  await vi.runAllTimersAsync()
  expect([outbox.pending.read(), send.mock.calls]).toEqual([[], []])
  outbox.close()
  await outbox.open('ada')
  await vi.runAllTimersAsync()
  expect(send).toHaveBeenCalledOnce()
})

test('a session that ends by itself pauses its changes, and forgetting them removes them', async () => {
  const { outbox } = await open()
  send.mockRejectedValue(new ApiError(401, 'not_signed_in', 'Please sign in to continue'))
  expect(await outcomeOf(outbox.add(change({}), later))).toMatchObject({ code: 'not_signed_in' })
  outbox.close()
  expect([...store.records.values()]).toMatchObject([{ person: 'ada', isSent: true, isHeld: false }])
  await outbox.forget('ada')
  expect([...store.records]).toEqual([])
})

test('a change whose form opens again is left to it, although the page was left before that was stored', async () => {
  const refused = change({ thing: 'canoe', isOfForm: true })
  store.records.set(refused.id, { ...refused, person: 'ada', at: 1, isSent: true, isHeld: false })
  send.mockResolvedValue({})
  const { outbox } = await open({ isAwaited: ({ thing }) => thing === 'canoe' })
  await vi.runAllTimersAsync()
  expect(send).not.toHaveBeenCalled()
  await outbox.resume(refused.id)
  expect(sent()).toHaveLength(1)
})

test('a change that another tab is sending is left to it', async () => {
  const first = await open()
  send.mockRejectedValue(down)
  void first.outbox.add(change({}), later)
  await vi.advanceTimersByTimeAsync(100)
  first.kill()
  let isTaken = true
  send.mockReset()
  const second = await open({ lock: async (_name, run) => (isTaken ? 'taken' : run()) })
  await vi.advanceTimersByTimeAsync(100)
  expect(send).not.toHaveBeenCalled()
  // The first tab has got the answer.
  store.records.clear()
  isTaken = false
  await vi.advanceTimersByTimeAsync(10_000)
  expect([second.outbox.pending.read(), send.mock.calls]).toEqual([[], []])
})

test('a browser stores changes by person, and one that refuses has them until the page is closed', async () => {
  vi.useRealTimers()
  const record = { ...change({}), person: 'ada', at: 1, isSent: false, isHeld: false }
  const other = { ...record, id: 'other', person: 'grace' }
  const browser = createChangeStore()
  await browser.put(record)
  await browser.put(other)
  await browser.put({ ...record, isSent: true })
  expect(await createChangeStore().list('ada')).toEqual([{ ...record, isSent: true }])
  await browser.clear('ada')
  expect([await browser.has(record.id), await browser.has('other')]).toEqual([false, true])

  vi.stubGlobal('indexedDB', undefined)
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const memory = createChangeStore()
  await memory.put(record)
  expect(await memory.list('ada')).toEqual([record])
  await memory.remove(record.id)
  expect(await memory.has(record.id)).toBe(false)
  vi.unstubAllGlobals()
})
