import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { change, isLost } from './change.ts'
import { endSession } from './client.ts'

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

const project = (projectId: string) => ({ params: { projectId } })
const refused = (status: number) =>
  new Response(JSON.stringify({ code: status === 404 ? 'not_found' : 'forbidden', message: 'No' }), {
    status,
  })
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
    expect(await settled(change('deleteProject', project('1')))).toBeUndefined()
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('is neither retried nor checked in the session of the next person', async () => {
    send.mockImplementation(none)
    const isDone = vi.fn<() => Promise<boolean>>(async () => true)
    const changing = change('deleteProject', project('9'), { isDone })
    changing.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    endSession()
    expect(await settled(changing)).toMatchObject({ code: 'not_signed_in' })
    expect(send).toHaveBeenCalledTimes(1)
    expect(isDone).not.toHaveBeenCalled()
  })

  it('that deletes a resource succeeds if a retry finds it deleted', async () => {
    send.mockImplementationOnce(none)
    send.mockResolvedValueOnce(refused(404))
    expect(await settled(change('deleteProject', project('2')))).toBeUndefined()
  })

  it('that turns something off succeeds if a retry finds it off, and is refused if the first attempt does', async () => {
    await import('./later-call-metadata.ts')
    const input = { params: { personId: 'ada' } }
    const isOff = () =>
      new Response(JSON.stringify({ code: 'conflict', message: 'It is off' }), { status: 409 })
    send.mockImplementationOnce(none)
    send.mockImplementation(async () => isOff())
    expect(await settled(change('turnOffPersonTwoFactor', input))).toBeUndefined()
    expect(await settled(change('turnOffPersonTwoFactor', input))).toMatchObject({ code: 'conflict' })
  })

  it('succeeds if it is repeated by the user after all retries failed', async () => {
    const input = { params: { inviteToken: 'secret' } }
    send.mockImplementation(none)
    expect(await settled(change('declineInvitation', input))).toMatchObject({ code: 'unreachable' })
    expect(isLost('declineInvitation', input)).toBe(true)
    send.mockReset()
    send.mockResolvedValueOnce(refused(404))
    expect(await settled(change('declineInvitation', input))).toBeUndefined()
    expect(isLost('declineInvitation', input)).toBe(false)
  })

  it('succeeds if every response was lost and the resource has the change, and fails if that is unknown', async () => {
    send.mockImplementation(none)
    const input = project('8')
    const found = (isDone: () => Promise<boolean>) => settled(change('deleteProject', input, { isDone }))
    expect(await found(async () => false)).toMatchObject({ code: 'unreachable' })
    expect(await found(() => Promise.reject(new Error('offline')))).toMatchObject({ code: 'unreachable' })
    expect(isLost('deleteProject', input)).toBe(true)
    expect(await found(async () => true)).toBeUndefined()
    expect(isLost('deleteProject', input)).toBe(false)
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
    const online = new EventTarget()
    vi.stubGlobal('navigator', browser)
    vi.stubGlobal('addEventListener', online.addEventListener.bind(online))
    vi.stubGlobal('removeEventListener', online.removeEventListener.bind(online))
    send.mockImplementationOnce(() => {
      browser.onLine = false
      return none()
    })
    const left = change('leaveProject', project('6'))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(send).toHaveBeenCalledOnce()
    browser.onLine = true
    online.dispatchEvent(new Event('online'))
    send.mockResolvedValueOnce(refused(403))
    expect(await settled(left)).toBeUndefined()

    browser.onLine = false
    send.mockReset()
    send.mockImplementationOnce(none)
    expect(await settled(change('leaveProject', project('7')))).toMatchObject({ code: 'unreachable' })
    expect(send).toHaveBeenCalledOnce()
  })
})
