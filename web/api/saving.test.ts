import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallInput } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import { create, update } from './saving.ts'

const send = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', send)
  vi.stubGlobal('navigator', { onLine: true })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  send.mockReset()
})

const saved = () => new Response('{"_id":"1"}', { status: 201 })
const refused = (status: number, code: string) =>
  new Response(JSON.stringify({ code, message: 'No' }), { status })
const unknown = () => refused(503, 'outcome_unknown')

const keys = () => send.mock.calls.map(([, { headers }]) => new Headers(headers).get('idempotency-key'))

/** Creates a project, and lets all pauses pass. */
async function createProject(title: string) {
  const created = create('createProject', { body: { title, description: 'Strip by strip' } })
  const outcome = created.catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return outcome
}

test('a call whose response was lost is retried with its key, unnoticed by its user', async () => {
  send.mockRejectedValueOnce(new TypeError('fetch failed'))
  send.mockResolvedValueOnce(new Response('{"_id":', { status: 201 }))
  send.mockResolvedValueOnce(unknown())
  send.mockResolvedValueOnce(saved())
  expect(await createProject('Canoe')).toEqual({ _id: '1' })
  expect(keys()).toHaveLength(4)
  expect(new Set(keys()).size).toBe(1)
  expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/)
})

test('each call has a key of its own, also one with the same words', async () => {
  send.mockImplementation(async () => saved())
  await createProject('Canoe')
  await createProject('Canoe')
  expect(new Set(keys()).size).toBe(2)
})

test('an uncertain outcome keeps its key for a retry, and for nothing else', async () => {
  send.mockImplementation(async () => unknown())
  expect(await createProject('Kayak')).toMatchObject({ code: 'outcome_unknown' })
  const [key] = keys()
  expect(keys()).toHaveLength(5)

  send.mockReset()
  send.mockImplementation(async () => saved())
  await createProject('Raft')
  await createProject('Kayak')
  await createProject('Kayak')
  expect(keys().indexOf(key ?? '')).toBe(1)
  expect(keys().filter((sent) => sent === key)).toHaveLength(1)
})

test('a call that is the same in what counts is sent again as it was at first', async () => {
  const make = async (description: string, onRepeat: () => void) => {
    const input = { body: { title: 'Raft', description } }
    const created = create('createProject', input, { identity: 'the raft', onRepeat })
    const outcome = created.catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    return outcome
  }
  const onRepeat = vi.fn<() => void>()
  send.mockImplementation(async () => unknown())
  await make('At nine', onRepeat)
  expect(onRepeat).not.toHaveBeenCalled()
  send.mockImplementation(async () => saved())
  await make('At ten', onRepeat)
  expect(onRepeat).toHaveBeenCalledOnce()
  expect(new Set(keys()).size).toBe(1)
  expect(new Set(send.mock.calls.map(([, { body }]) => body)).size).toBe(1)
})

test('an error response is final, and so is a missing connection', async () => {
  send.mockResolvedValueOnce(refused(409, 'conflict'))
  expect(await createProject('Canoe')).toMatchObject({ code: 'conflict' })
  vi.stubGlobal('navigator', { onLine: false })
  send.mockRejectedValueOnce(new TypeError('fetch failed'))
  expect(await createProject('Canoe')).toMatchObject({ code: 'unreachable' })
  expect(keys()).toHaveLength(2)
})

describe('a change whose answer was lost', () => {
  const projectId = '0198c0de-0000-7000-8000-000000000001'
  const sent = { title: 'Canoe', description: 'Strip by strip', isPublic: false }

  async function change(body: CallInput<Calls['updateProject']>['body'] = sent) {
    const changed = update('updateProject', { params: { projectId }, body }, 3)
    const outcome = changed.catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    return outcome
  }

  const stale = (current: object) =>
    new Response(JSON.stringify({ code: 'stale', message: 'Changed', current }), { status: 412 })

  test('is sent again, and is saved where the server has it already', async () => {
    const current = { ...sent, _id: projectId, version: 4 }
    send.mockResolvedValueOnce(unknown())
    send.mockResolvedValueOnce(stale(current))
    expect(await change()).toEqual(current)
    expect(send).toHaveBeenCalledTimes(2)
  })

  test('is saved where it was to take away what responses leave out when there is none', async () => {
    const current = { ...sent, _id: projectId, version: 4 }
    send.mockRejectedValueOnce(new TypeError('fetch failed'))
    send.mockResolvedValueOnce(stale(current))
    expect(await change({ ...sent, coverFile: null })).toEqual(current)
  })

  test('is a conflict where the server has something else', async () => {
    send.mockResolvedValueOnce(unknown())
    send.mockResolvedValueOnce(stale({ ...sent, title: 'Kayak', version: 4 }))
    expect(await change()).toMatchObject({ code: 'stale', current: { title: 'Kayak' } })
  })
})
