import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { endSession } from '#web/api/client.ts'
import { awaitedThing, change } from './change.ts'
import { outbox } from './page-outbox.ts'
import { secretCalls } from './secret.ts'

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
  endSession()
})

const isSecret = (field: string) => /password|code|token|credential/i.test(field)
const project = (projectId: string) => ({ params: { projectId } })
const refused = (status: number) =>
  new Response(JSON.stringify({ code: status === 404 ? 'not_found' : 'forbidden', message: 'No' }), {
    status,
  })
const keys = () => send.mock.calls.map(([, { headers }]) => new Headers(headers).get('idempotency-key'))
const none = () => Promise.reject(new TypeError('fetch failed'))

async function settled<T>(promise: Promise<T>): Promise<unknown> {
  const outcome = promise.catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return outcome
}

describe('a change', () => {
  it('is retried if its response was lost', async () => {
    send.mockImplementationOnce(none)
    send.mockResolvedValueOnce(new Response(null, { status: 204 }))
    expect(await settled(change('deleteProject', project('1')))).toBe(keys()[0])
    expect(send).toHaveBeenCalledTimes(2)
    expect(new Set(keys()).size, 'under one id').toBe(1)
    expect(keys()[0]).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  })

  it('that is of use only now is retried for a minute, and waits for the connection', async () => {
    send.mockImplementation(none)
    const began = Date.now()
    const leaving = Promise.allSettled([
      change('leaveProject', project('a')),
      change('leaveProject', project('b')),
    ])
    const states = () => outbox.pending.read().map(({ state }) => state)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(states()).toEqual(['saving', 'saving'])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(states()).toEqual(['waiting', 'waiting'])
    const sent = send.mock.calls.length
    outbox.retry(awaitedThing('leaveProject', { projectId: 'a' }))
    expect(states(), 'asked again').toEqual(['saving', 'waiting'])
    await vi.advanceTimersByTimeAsync(0)
    expect(send.mock.calls.length).toBe(sent + 2)
    await vi.runAllTimersAsync()
    expect(await leaving).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    expect(states()).not.toContain('waiting')
    expect(Date.now() - began).toBeGreaterThan(50_000)
    expect(Date.now() - began).toBeLessThan(70_000)
  })

  it('that is worth making later is retried until the server has answered', async () => {
    send.mockImplementation(none)
    const deleting = change('deleteProject', project('c'))
    await vi.advanceTimersByTimeAsync(3_600_000)
    const sent = send.mock.calls.length
    expect(sent, 'every 15 seconds').toBeLessThan(300)
    send.mockImplementation(async () => new Response(null, { status: 204 }))
    expect(await settled(deleting)).toBe(keys()[0])
    expect(new Set(keys()).size).toBe(1)
    expect(outbox.pending.read()).toEqual([])
  })

  it('with a password is repeated under one id while its person waits, and not remembered', async () => {
    send.mockImplementation(none)
    const input = { params: { projectId: 'p', linkId: 'l' }, body: { name: 'Aunt', password: 'long enough' } }
    const changing = settled(change('updateShareLink', input))
    expect(JSON.stringify(outbox.pending.read())).not.toContain('long enough')
    expect(await changing).toMatchObject({ code: 'unreachable' })
    expect(send).toHaveBeenCalledTimes(3)
    expect(new Set(keys()).size).toBe(1)
    expect(JSON.stringify(outbox.pending.read())).not.toContain('long enough')
  })

  it('with a field for a password or a code is among those that are not remembered', () => {
    const secret = Object.entries(calls).flatMap(([name, call]) =>
      'body' in call && 'shape' in call.body && Object.keys(call.body.shape).some(isSecret) ? [name] : [],
    )
    // The types keep the others from `change`.
    const changing = secret.filter(
      (name) =>
        secretCalls.has(name as 'updateShareLink') || calls[name as 'updateShareLink'].method === 'PUT',
    )
    expect(changing.toSorted()).toEqual([...secretCalls].toSorted())
  })

  it('is not retried in the session of the next person', async () => {
    send.mockImplementation(none)
    const changing = change('deleteProject', project('9'))
    changing.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    endSession()
    expect(await settled(changing)).toMatchObject({ code: 'not_signed_in' })
    expect(send).toHaveBeenCalledTimes(1)
  })

  it('that deletes a resource succeeds if a retry finds it deleted, unless the server would remember that', async () => {
    const lose = () => {
      send.mockReset()
      send.mockImplementationOnce(none)
      send.mockResolvedValueOnce(refused(404))
    }
    lose()
    expect(await settled(change('deleteFile', { params: { fileId: '2' } }))).toBeUndefined()
    lose()
    expect(await settled(change('deleteProject', project('2')))).toMatchObject({ status: 404 })
  })

  it('that turns something off succeeds if a retry finds it off, and is refused if the first attempt does', async () => {
    const input = { params: { personId: 'ada' } }
    const isOff = () =>
      new Response(JSON.stringify({ code: 'conflict', message: 'It is off' }), { status: 409 })
    send.mockImplementationOnce(none)
    send.mockImplementation(async () => isOff())
    expect(await settled(change('turnOffPersonTwoFactor', input))).toBeUndefined()
    expect(await settled(change('turnOffPersonTwoFactor', input))).toMatchObject({ code: 'conflict' })
  })

  it('is sent under its id again by the next attempt, unless something else was done with the same thing', async () => {
    const complete = (isOn: boolean) =>
      settled(change('switchWebhook', { params: { projectId: 'p', webhookId: 'w' }, body: { isOn } }))
    send.mockImplementation(none)
    await complete(true)
    const [first] = keys()
    send.mockReset()
    send.mockImplementation(async () => Response.json({}))
    await complete(true)
    await complete(true)
    expect(keys().map((key) => key === first)).toEqual([true, false])

    send.mockReset()
    send.mockImplementation(none)
    await complete(true)
    const [lost] = keys()
    send.mockReset()
    send.mockImplementation(async () => Response.json({}))
    await complete(false)
    await complete(true)
    expect(keys()).not.toContain(lost)
  })

  it('succeeds if it is repeated by the user after all retries failed', async () => {
    send.mockImplementation(none)
    const file = { params: { fileId: '8' } }
    expect(await settled(change('deleteFile', file))).toMatchObject({ code: 'unreachable' })
    send.mockReset()
    send.mockResolvedValueOnce(refused(404))
    expect(await settled(change('deleteFile', file))).toBeUndefined()
  })

  it('is refused as usual if no response was lost', async () => {
    send.mockResolvedValueOnce(refused(404))
    expect(await settled(change('deleteProject', project('3')))).toMatchObject({ status: 404 })
  })

  it('is refused if another resource does not exist', async () => {
    send.mockImplementationOnce(none)
    send.mockResolvedValueOnce(refused(404))
    const input = { ...project('4'), body: { collaborator: '5' } }
    expect(await settled(change('transferProject', input))).toBeUndefined()
    send.mockImplementationOnce(none)
    send.mockResolvedValueOnce(refused(403))
    expect(await settled(change('deleteProject', project('4')))).toMatchObject({ status: 403 })
  })

  it('waits for a connection that was lost during the call, and not for one that was missing before', async () => {
    const browser = { onLine: true }
    vi.stubGlobal('navigator', browser)
    send.mockImplementationOnce(() => {
      browser.onLine = false
      return none()
    })
    const left = change('leaveProject', project('6'))
    await vi.advanceTimersByTimeAsync(100)
    expect(send).toHaveBeenCalledOnce()
    browser.onLine = true
    send.mockResolvedValueOnce(new Response(null, { status: 204 }))
    expect(await settled(left)).toBe(keys()[0])

    browser.onLine = false
    send.mockReset()
    send.mockImplementationOnce(none)
    expect(await settled(change('leaveProject', project('7')))).toMatchObject({ code: 'unreachable' })
    expect(send).toHaveBeenCalledOnce()
  })
})
