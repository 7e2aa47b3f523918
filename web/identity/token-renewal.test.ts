import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ada, type Browser, browser, MINUTE, offline, refused, settle } from './testing.ts'

let b: Browser
beforeEach(() => {
  vi.useFakeTimers()
  b = browser()
})
afterEach(() => vi.useRealTimers())

describe('the token', () => {
  test('is renewed each time ten minutes are left', async () => {
    await b.signedIn()
    await vi.advanceTimersByTimeAsync(49 * MINUTE)
    expect(b.storage.token).toBe('token 1')
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    expect(b.storage.token).toBe('token 2')
    await vi.advanceTimersByTimeAsync(50 * MINUTE)
    expect(b.storage.token).toBe('token 3')
  })

  test('is renewed once for all tabs', async () => {
    const tabs = [await b.signedIn(), b.tab(), b.tab()]
    for (const { manager } of tabs.slice(1)) manager.start()
    await settle()
    b.server.exchange.mockClear()
    await vi.advanceTimersByTimeAsync(51 * MINUTE)
    expect(b.server.exchange).toHaveBeenCalledOnce()
    for (const { manager } of tabs) expect(manager.store.read().user).toEqual(ada)
  })

  test('is awaited when it expired while the machine slept', async () => {
    const { manager } = await b.signedIn()
    vi.setSystemTime(Date.now() + 8 * 60 * MINUTE)
    await manager.renewIfDue()
    expect(b.storage.token).toBe('token 2')
    expect(manager.store.read().status).toBe('signed-in')
  })

  test('is awaited while a stored one is being exchanged, unless the server does not respond', async () => {
    b.storage.token = 'stored'
    const [first, second] = [b.tab().manager, b.tab().manager]
    first.start()
    await first.renewIfDue()
    expect(b.storage.token).toBe('token 1')
    b.server.exchange.mockRejectedValue(offline())
    second.start()
    const freshened = second.renewIfDue()
    await vi.advanceTimersByTimeAsync(5_000)
    await freshened
    expect(second.store.read().isUnreachable).toBe(true)
    await second.renewIfDue()
  })

  test('delays no request while the token is still valid', async () => {
    const { manager } = await b.signedIn()
    b.server.exchange.mockReturnValue(new Promise(() => {}))
    vi.setSystemTime(Date.now() + 55 * MINUTE)
    await manager.renewIfDue()
    expect(b.storage.token).toBe('token 1')
  })

  test('that cannot be renewed while the server is unreachable stays and is retried', async () => {
    const { manager, said } = await b.signedIn()
    b.server.exchange.mockRejectedValueOnce(offline()).mockRejectedValueOnce(offline())
    await vi.advanceTimersByTimeAsync(50 * MINUTE)
    expect([manager.store.read().status, b.storage.token, said]).toEqual(['signed-in', 'token 1', []])
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(b.storage.token).not.toBe('token 1')
  })

  test('whose renewal is refused ends the session', async () => {
    const { manager, said } = await b.signedIn()
    b.server.exchange.mockRejectedValue(refused())
    await vi.advanceTimersByTimeAsync(50 * MINUTE)
    expect(manager.store.read().status).toBe('signed-out')
    expect(said).toEqual(['Authentication failed. Please try again.'])
  })
})
