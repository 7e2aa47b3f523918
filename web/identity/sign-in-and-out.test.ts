import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#contract/identity.ts'
import { ApiError } from '#web/api/api-error.ts'
import { IssuerFailure } from './provider.ts'
import { SIGNED_OUT } from './session-state.ts'
import { ada, type Browser, browser, MINUTE, offline, refused, settle } from './testing.ts'

let b: Browser
beforeEach(() => {
  vi.useFakeTimers()
  b = browser()
})
afterEach(() => vi.useRealTimers())

describe('signing in', () => {
  test('goes through the provider and the exchange', async () => {
    const { manager } = b.tab()
    manager.start()
    await manager.signIn('ada@example.test', 'difference engine')
    expect(b.server.signIn).toHaveBeenCalledWith('ada@example.test', 'difference engine')
    expect(manager.store.read().user).toEqual(ada)
    expect(b.storage.token).toBe('token 1')
  })

  test('to an account that is being deleted leaves the proof valid for keeping it', async () => {
    const { manager } = b.tab()
    manager.start()
    const leaving = new ApiError(403, 'account_leaving', 'This account will be deleted on January 1, 2027.')
    b.server.exchange.mockRejectedValueOnce(leaving)
    await expect(manager.startSession()).rejects.toBe(leaving)
    expect(b.server.signOut).not.toHaveBeenCalled()
    await manager.startSession(true)
    expect(b.server.exchange).toHaveBeenLastCalledWith(expect.objectContaining({ keepAccount: true }))
    expect(manager.store.read().user).toEqual(ada)
  })

  test('to an account that is being deleted, of which another tab has signed out, is reported', async () => {
    const { manager, said } = b.tab()
    manager.start()
    const leaving = new ApiError(403, 'account_leaving', 'This account will be deleted on January 1, 2027.')
    b.server.exchange.mockRejectedValueOnce(leaving)
    await expect(manager.signInWithIssuer()).rejects.toBe(leaving)
    b.server.identity.mockResolvedValueOnce(null)
    await expect(manager.startSession(true)).rejects.toThrow('Authentication failed. Please try again.')
    expect([manager.store.read().status, said]).toEqual([
      'signed-out',
      ['Authentication failed. Please try again.'],
    ])
  })

  test('in a browser that refuses the cookie says what to allow', async () => {
    const { manager, said } = b.tab()
    manager.start()
    b.server.identity.mockResolvedValueOnce(null)
    await expect(manager.signIn('ada@example.test', 'difference engine')).rejects.toThrow(/Allow cookies/)
    expect([manager.store.read().status, said]).toEqual([
      'signed-out',
      ['Authentication failed. Please try again.'],
    ])
  })

  test('signing up does too', async () => {
    const { manager } = b.tab()
    manager.start()
    await manager.signUp('Ada Lovelace', 'ada@example.test', 'difference engine')
    expect(b.server.signUp).toHaveBeenCalledWith('Ada Lovelace', 'ada@example.test', 'difference engine')
    expect(manager.store.read().user).toEqual(ada)
  })

  test('signing up again after an attempt that may have created the account signs in', async () => {
    const { manager } = b.tab()
    manager.start()
    const signUp = () => manager.signUp('Ada Lovelace', 'ada@example.test', 'difference engine')
    const taken = new ApiError(409, 'conflict', 'This email has an account')
    b.server.signUp.mockRejectedValue(taken)
    await expect(signUp()).rejects.toBe(taken)
    await expect(signUp()).rejects.toBe(taken)

    b.server.signUp.mockResolvedValueOnce()
    b.server.exchange.mockRejectedValueOnce(refused(500))
    await expect(signUp()).rejects.toThrow('Authentication failed')
    expect(b.server.signIn).not.toHaveBeenCalled()
    await signUp()
    expect(b.server.signIn).toHaveBeenCalledExactlyOnceWith('ada@example.test', 'difference engine')
    expect(manager.store.read().user).toEqual(ada)
  })

  test('with Google does too, and changes nothing when the popup is cancelled', async () => {
    const { manager, said } = b.tab()
    manager.start()
    const cancelled = new IssuerFailure('cancelled')
    b.server.signInWithIssuer.mockRejectedValueOnce(cancelled)
    await expect(manager.signInWithIssuer()).rejects.toBe(cancelled)
    expect([manager.store.read().status, said]).toEqual(['signed-out', []])
    await manager.signInWithIssuer()
    expect(manager.store.read().user).toEqual(ada)
  })

  test('that the provider refuses changes nothing', async () => {
    const { manager, said } = b.tab()
    manager.start()
    const error = new ApiError(401, 'incorrect_password', 'Incorrect password')
    b.server.signIn.mockRejectedValue(error)
    await expect(manager.signIn('ada@example.test', 'wrong')).rejects.toBe(error)
    expect([manager.store.read().status, said]).toEqual(['signed-out', []])
  })

  test('that cannot be exchanged signs out of the provider again', async () => {
    const { manager, said } = b.tab()
    manager.start()
    b.server.exchange.mockRejectedValue(refused())
    const failure = manager.signIn('ada@example.test', 'difference engine')
    await expect(failure).rejects.toThrow('Authentication failed. Please try again.')
    await expect(failure).rejects.not.toBeInstanceOf(ApiError)
    expect([manager.store.read().status, b.storage.token]).toEqual(['signed-out', null])
    expect(b.server.signOut).toHaveBeenCalledOnce()
    expect(said).toEqual(['Authentication failed. Please try again.'])
  })
})

describe('signing out', () => {
  test('revokes the token, signs out of the provider and clears the user', async () => {
    const { manager, said, people } = await b.signedIn()
    await manager.signOut()
    expect([manager.store.read().status, b.storage.token, said]).toEqual(['signed-out', null, []])
    expect(b.server.revoke).toHaveBeenCalledOnce()
    expect(b.server.signOut).toHaveBeenCalledOnce()
    expect(people).toEqual([undefined, 'ada'])
  })

  test('of a page that loads another one then keeps its screens from redirecting', async () => {
    const { manager } = await b.signedIn()
    const left = manager.leave()
    expect(manager.store.read()).toEqual({ ...SIGNED_OUT, isLeaving: true })
    expect(b.storage.token).toBeNull()
    expect(await left).toBe(true)
    expect(b.server.revoke).toHaveBeenCalledExactlyOnceWith('token 1')
    manager.stay()
    expect(manager.store.read()).toEqual(SIGNED_OUT)
  })

  test('ends the session here even when the server is unreachable, and shows an error', async () => {
    const { manager, said } = await b.signedIn()
    b.server.revoke.mockRejectedValue(offline())
    b.server.signOut.mockRejectedValue(offline())
    await manager.signOut()
    expect([manager.store.read().status, b.storage.token, said]).toEqual([
      'signed-out',
      null,
      ['Logout failed'],
    ])
  })

  test('that fails in a page that loads another one then is reported, and the next one succeeds', async () => {
    const { manager, said } = await b.signedIn()
    b.server.revoke.mockRejectedValueOnce(offline())
    expect(await manager.leave()).toBe(false)
    expect(said).toEqual(['Logout failed'])
    await manager.signIn('ada@example.test', 'a password')
    expect(await manager.signOut()).toBe(true)
    expect(said).toEqual(['Logout failed'])
  })

  test('of a session that had already ended succeeds', async () => {
    const { manager, said } = await b.signedIn()
    b.server.revoke.mockRejectedValue(refused())
    await manager.signOut()
    expect(said).toEqual([])
  })

  test('during an exchange is not undone by its response', async () => {
    const { manager } = await b.signedIn()
    let answer: (given: { token: string; user: User }) => void = () => {}
    b.server.exchange.mockReturnValue(
      new Promise((resolve) => {
        answer = resolve
      }),
    )
    await vi.advanceTimersByTimeAsync(50 * MINUTE)
    await manager.signOut()
    answer({ token: 'too late', user: ada })
    await settle()
    expect([manager.store.read().status, b.storage.token]).toEqual(['signed-out', null])
  })
})
