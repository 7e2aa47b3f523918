import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SIGNED_OUT } from './session-state.ts'
import { ada, type Browser, baker, browser, identity, MINUTE, offline, refused, settle } from './testing.ts'

let b: Browser
beforeEach(() => {
  vi.useFakeTimers()
  b = browser()
})
afterEach(() => vi.useRealTimers())

describe('when a page opens', () => {
  test('without a stored token nobody is signed in and no request is sent', () => {
    const { manager } = b.tab()
    expect(manager.store.read().status).toBe('loading')
    manager.start()
    expect(manager.store.read()).toEqual({ status: 'signed-out', user: null, isUnreachable: false })
    expect(b.server.identity).not.toHaveBeenCalled()
  })

  test('with a stored token, the provider’s ID token is exchanged for a new one', async () => {
    await b.signedIn()
    expect(b.server.exchange).toHaveBeenCalledWith(identity)
    expect(b.storage.token).toBe('token 1')
  })

  test('and the provider has no session, the token is removed silently', async () => {
    b.storage.token = 'stored'
    b.server.identity.mockResolvedValue(null)
    const { manager, said } = b.tab()
    manager.start()
    await settle()
    expect([manager.store.read().status, b.storage.token, said]).toEqual(['signed-out', null, []])
  })

  test('and the exchange is refused, the provider is signed out and an error is shown', async () => {
    b.storage.token = 'stored'
    b.server.exchange.mockRejectedValue(refused())
    const { manager, said } = b.tab()
    manager.start()
    await settle()
    expect([manager.store.read().status, b.storage.token]).toEqual(['signed-out', null])
    expect(b.server.signOut).toHaveBeenCalledOnce()
    expect(said).toEqual(['Authentication failed. Please try again.'])
  })

  test('and the server is unreachable, the session stays and is retried until it responds', async () => {
    b.storage.token = 'stored'
    b.server.exchange.mockRejectedValue(offline())
    const { manager, said } = b.tab()
    manager.start()
    await settle()
    expect(manager.store.read()).toMatchObject({ status: 'loading', isUnreachable: false })
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(manager.store.read()).toEqual({ status: 'loading', user: null, isUnreachable: true })
    expect(b.storage.token).toBe('stored')
    expect(said).toEqual(['The server cannot be reached. Check your connection and try again.'])
    expect(b.server.signOut).not.toHaveBeenCalled()
    b.server.exchange.mockResolvedValue({ token: 'at last', user: ada })
    manager.retry()
    await settle()
    expect(manager.store.read()).toMatchObject({ status: 'signed-in', user: ada })
  })

  test('a browser that stores nothing restores the session of the provider’s cookie', async () => {
    b.storage.isKept = false
    const { manager } = b.tab()
    manager.start()
    await settle()
    expect(manager.store.read()).toMatchObject({ status: 'signed-in', user: ada })
    expect(b.server.exchange).toHaveBeenCalledOnce()
  })

  test.each([
    ['no session', () => b.server.identity.mockResolvedValue(null)],
    ['no connection', () => b.server.identity.mockRejectedValue(offline())],
  ])('a browser that stores nothing has a visitor if the provider has %s', async (_name, prepare) => {
    b.storage.isKept = false
    prepare()
    const { manager, said } = b.tab()
    manager.start()
    await settle()
    expect([manager.store.read(), said]).toEqual([SIGNED_OUT, []])
  })

  test('a user may sign in while the stored session is still being restored', async () => {
    b.storage.token = 'stored'
    b.server.identity.mockRejectedValue(offline())
    const { manager } = b.tab()
    manager.start()
    await vi.advanceTimersByTimeAsync(MINUTE)
    b.server.identity.mockResolvedValue(identity)
    await manager.signIn('ada@example.test', 'difference engine')
    expect(manager.store.read().status).toBe('signed-in')
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(b.server.exchange).toHaveBeenCalledOnce()
  })
})

describe('a token that the server refuses', () => {
  test('ends the session and signs out of the provider', async () => {
    const { manager, said } = await b.signedIn()
    await manager.refused('token 1')
    expect([manager.store.read().status, b.storage.token, said]).toEqual(['signed-out', null, []])
    expect(b.server.signOut).toHaveBeenCalledOnce()
  })

  test('marks the session as ended, unlike signing out', async () => {
    const { manager } = await b.signedIn()
    await manager.refused('token 1')
    expect(manager.store.read().hasEnded).toBe(true)
    await manager.signIn('ada@example.test', 'engine')
    await manager.signOut()
    expect(manager.store.read().hasEnded).toBeUndefined()
  })

  test('that is still being exchanged is ignored, because it may have expired in storage', async () => {
    b.storage.token = 'stored'
    const { manager } = b.tab()
    manager.start()
    await manager.refused('stored')
    await settle()
    expect([manager.store.read().status, b.storage.token]).toEqual(['signed-in', 'token 1'])
  })

  test('does not end the session of the token that replaced it', async () => {
    const { manager } = await b.signedIn()
    await manager.refused('stored')
    expect(manager.store.read().status).toBe('signed-in')
  })
})

describe('another tab', () => {
  test('that signs out signs this one out without a request', async () => {
    const { manager, people } = await b.signedIn()
    b.storage.token = null
    manager.syncWithStorage()
    expect(manager.store.read().status).toBe('signed-out')
    expect(people.at(-1)).toBe('ada')
    expect(b.server.revoke).not.toHaveBeenCalled()
    expect(b.server.signOut).not.toHaveBeenCalled()
  })

  test('that signs in signs this one in', async () => {
    const { manager } = b.tab()
    manager.start()
    b.storage.token = 'of another tab'
    manager.syncWithStorage()
    await settle()
    expect(manager.store.read()).toMatchObject({ status: 'signed-in', user: ada })
    expect(b.server.exchange).not.toHaveBeenCalled()
  })

  test('that signs somebody else in replaces the user of this one', async () => {
    const { manager, people } = await b.signedIn()
    b.storage.token = 'the baker’s'
    b.server.readMe.mockResolvedValue(baker)
    manager.syncWithStorage()
    await settle()
    expect(manager.store.read().user).toEqual(baker)
    expect(people.at(-1)).toBe('ada')
  })

  test('that signs somebody else in does so here too, once the server has returned the user', async () => {
    const { manager } = await b.signedIn()
    b.storage.token = 'the baker’s'
    b.server.readMe.mockRejectedValueOnce(offline()).mockResolvedValue(baker)
    manager.syncWithStorage()
    await settle()
    expect(manager.store.read().user).toEqual(ada)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(manager.store.read().user).toEqual(baker)
    expect(b.server.exchange).toHaveBeenCalledOnce()
  })

  test('that signs somebody else in holds calls back until it is known who it is, or that the server cannot be reached', async () => {
    const { manager } = await b.signedIn()
    b.storage.token = 'the baker’s'
    b.server.readMe.mockRejectedValueOnce(offline()).mockResolvedValue(baker)
    await manager.renewIfDue()
    expect(manager.store.read().user).toEqual(ada)
    vi.advanceTimersByTime(MINUTE)
    await manager.renewIfDue()
    expect(manager.store.read().user).toEqual(baker)
    expect(b.server.readMe).toHaveBeenLastCalledWith('the baker’s')
  })
})

test('changes by the signed-in user are shown, and those of another user are not', async () => {
  const { manager } = await b.signedIn()
  manager.updateUser(baker)
  expect(manager.store.read().user).toEqual(ada)
  manager.updateUser({ ...ada, name: 'Countess of Lovelace' })
  expect(manager.store.read()).toMatchObject({ status: 'signed-in', user: { name: 'Countess of Lovelace' } })
})

test('a stopped manager does nothing', async () => {
  const { manager } = await b.signedIn()
  manager.stop()
  b.server.exchange.mockClear()
  await vi.advanceTimersByTimeAsync(120 * MINUTE)
  expect(b.server.exchange).not.toHaveBeenCalled()
})
