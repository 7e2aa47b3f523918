import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#contract/identity.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import { GoogleFailure, type ProvidedIdentity, type Provider } from './provider.ts'
import type { SessionDeps } from './session-manager.ts'
import { SessionManager } from './session-manager.ts'

const MINUTE = 60_000

const ada: User = { _id: 'ada', name: 'Ada Lovelace', email: 'ada@example.test' }
const baker: User = { _id: 'baker', name: 'The bread baker', email: 'baker@example.test' }

const identity: ProvidedIdentity = {
  idToken: 'an ID token',
  email: ada.email,
  name: ada.name,
  photoURL: null,
  firebaseUid: 'ada',
}

const refused = (status = 401) => new ApiError(status, 'not_signed_in', 'Please sign in to continue')
const offline = () => unreachable(new TypeError('fetch failed'))

/** One browser: its storage, its lock, the server behind it. Each tab is a manager. */
function browser() {
  const storage = { token: null as string | null }
  let queue = Promise.resolve()
  let exchanges = 0
  const server = {
    signIn: vi.fn<Provider['signIn']>(async () => {}),
    signUp: vi.fn<Provider['signUp']>(async () => {}),
    signInWithGoogle: vi.fn<Provider['signInWithGoogle']>(async () => {}),
    identity: vi.fn<Provider['identity']>(async () => identity),
    signOut: vi.fn<Provider['signOut']>(async () => {}),
    exchange: vi.fn<SessionDeps['exchange']>(async () => {
      exchanges += 1
      return { token: `token ${exchanges}`, user: ada }
    }),
    readMe: vi.fn<SessionDeps['readMe']>(async () => ada),
    revoke: vi.fn<SessionDeps['revoke']>(async () => {}),
  }
  function tab() {
    const said: string[] = []
    const people: (string | undefined)[] = []
    const { exchange, readMe, revoke, ...provider } = server
    const deps: SessionDeps = {
      exchange,
      readMe,
      revoke,
      provider: { ...provider, prepare: () => {} },
      tokens: {
        read: () => storage.token,
        store: (token) => {
          storage.token = token
        },
      },
      withTokenLock(work) {
        const done = queue.then(work)
        queue = done.catch(() => {})
        return done
      },
      onUserChange: (previous) => void people.push(previous.user?._id),
      showError: (text) => void said.push(text),
    }
    return { manager: new SessionManager(deps), said, people }
  }
  return { storage, server, tab }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

let b: ReturnType<typeof browser>

beforeEach(() => {
  vi.useFakeTimers()
  b = browser()
})
afterEach(() => vi.useRealTimers())

async function signedIn() {
  b.storage.token = 'stored'
  const tab = b.tab()
  tab.manager.start()
  await settle()
  expect(tab.manager.store.read()).toEqual({ status: 'signed-in', user: ada, isUnreachable: false })
  return tab
}

describe('when a page opens', () => {
  test('without a stored token nobody is signed in and no request is sent', () => {
    const { manager } = b.tab()
    expect(manager.store.read().status).toBe('loading')
    manager.start()
    expect(manager.store.read()).toEqual({ status: 'signed-out', user: null, isUnreachable: false })
    expect(b.server.identity).not.toHaveBeenCalled()
  })

  test('with a stored token, the provider’s ID token is exchanged for a new one', async () => {
    await signedIn()
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

describe('signing in', () => {
  test('goes through the provider and the exchange', async () => {
    const { manager } = b.tab()
    manager.start()
    await manager.signIn('ada@example.test', 'difference engine')
    expect(b.server.signIn).toHaveBeenCalledWith('ada@example.test', 'difference engine')
    expect(manager.store.read().user).toEqual(ada)
    expect(b.storage.token).toBe('token 1')
  })

  test('signing up does too', async () => {
    const { manager } = b.tab()
    manager.start()
    await manager.signUp('Ada Lovelace', 'ada@example.test', 'difference engine')
    expect(b.server.signUp).toHaveBeenCalledWith('Ada Lovelace', 'ada@example.test', 'difference engine')
    expect(manager.store.read().user).toEqual(ada)
  })

  test('signing up again after a try that may have created the account signs in', async () => {
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
    const cancelled = new GoogleFailure('cancelled')
    b.server.signInWithGoogle.mockRejectedValueOnce(cancelled)
    await expect(manager.signInWithGoogle()).rejects.toBe(cancelled)
    expect([manager.store.read().status, said]).toEqual(['signed-out', []])
    await manager.signInWithGoogle()
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
    const { manager, said, people } = await signedIn()
    await manager.signOut()
    expect([manager.store.read().status, b.storage.token, said]).toEqual(['signed-out', null, []])
    expect(b.server.revoke).toHaveBeenCalledOnce()
    expect(b.server.signOut).toHaveBeenCalledOnce()
    expect(people).toEqual([undefined, 'ada'])
  })

  test('begins before this page shows it, so that the next page finds no session', async () => {
    const { manager } = await signedIn()
    manager.leave()
    expect([manager.store.read().status, b.storage.token]).toEqual(['signed-in', null])
    await vi.advanceTimersByTimeAsync(50 * MINUTE)
    await manager.renewIfDue()
    expect([manager.store.read().status, b.storage.token]).toEqual(['signed-in', null])
    await manager.signOut()
    expect([manager.store.read().status, b.storage.token]).toEqual(['signed-out', null])
    expect(b.server.revoke).toHaveBeenCalledExactlyOnceWith('token 1')
  })

  test('ends the session here even when the server is unreachable, and shows an error', async () => {
    const { manager, said } = await signedIn()
    b.server.revoke.mockRejectedValue(offline())
    b.server.signOut.mockRejectedValue(offline())
    await manager.signOut()
    expect([manager.store.read().status, b.storage.token, said]).toEqual([
      'signed-out',
      null,
      ['Logout failed'],
    ])
  })

  test('that fails before this page shows it is still reported', async () => {
    const { manager, said } = await signedIn()
    b.server.revoke.mockRejectedValueOnce(offline())
    manager.leave()
    await settle()
    expect(await manager.signOut()).toBe(false)
    expect([manager.store.read().status, said]).toEqual(['signed-out', ['Logout failed']])
    expect(b.server.signOut).toHaveBeenCalledOnce()
    await manager.signIn('ada@example.test', 'a password')
    expect(await manager.signOut()).toBe(true)
    expect(said).toEqual(['Logout failed'])
  })

  test('of a session that had ended already is no failure', async () => {
    const { manager, said } = await signedIn()
    b.server.revoke.mockRejectedValue(refused())
    await manager.signOut()
    expect(said).toEqual([])
  })

  test('during an exchange is not undone by its response', async () => {
    const { manager } = await signedIn()
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

describe('a token that the server refuses', () => {
  test('ends the session and signs out of the provider', async () => {
    const { manager, said } = await signedIn()
    await manager.refused('token 1')
    expect([manager.store.read().status, b.storage.token, said]).toEqual(['signed-out', null, []])
    expect(b.server.signOut).toHaveBeenCalledOnce()
  })

  test('leaves the page knowing that the session has ended; signing out oneself does not', async () => {
    const { manager } = await signedIn()
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
    const { manager } = await signedIn()
    await manager.refused('stored')
    expect(manager.store.read().status).toBe('signed-in')
  })
})

describe('the token', () => {
  test('is renewed each time ten minutes are left', async () => {
    await signedIn()
    await vi.advanceTimersByTimeAsync(49 * MINUTE)
    expect(b.storage.token).toBe('token 1')
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    expect(b.storage.token).toBe('token 2')
    await vi.advanceTimersByTimeAsync(50 * MINUTE)
    expect(b.storage.token).toBe('token 3')
  })

  test('is renewed once for all tabs', async () => {
    const tabs = [await signedIn(), b.tab(), b.tab()]
    for (const { manager } of tabs.slice(1)) manager.start()
    await settle()
    b.server.exchange.mockClear()
    await vi.advanceTimersByTimeAsync(51 * MINUTE)
    expect(b.server.exchange).toHaveBeenCalledOnce()
    for (const { manager } of tabs) expect(manager.store.read().user).toEqual(ada)
  })

  test('is awaited when it expired while the machine slept', async () => {
    const { manager } = await signedIn()
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
    const { manager } = await signedIn()
    b.server.exchange.mockReturnValue(new Promise(() => {}))
    vi.setSystemTime(Date.now() + 55 * MINUTE)
    await manager.renewIfDue()
    expect(b.storage.token).toBe('token 1')
  })

  test('that cannot be renewed while the server is unreachable stays and is retried', async () => {
    const { manager, said } = await signedIn()
    b.server.exchange.mockRejectedValueOnce(offline()).mockRejectedValueOnce(offline())
    await vi.advanceTimersByTimeAsync(50 * MINUTE)
    expect([manager.store.read().status, b.storage.token, said]).toEqual(['signed-in', 'token 1', []])
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(b.storage.token).not.toBe('token 1')
  })

  test('whose renewal is refused ends the session', async () => {
    const { manager, said } = await signedIn()
    b.server.exchange.mockRejectedValue(refused())
    await vi.advanceTimersByTimeAsync(50 * MINUTE)
    expect(manager.store.read().status).toBe('signed-out')
    expect(said).toEqual(['Authentication failed. Please try again.'])
  })
})

describe('another tab', () => {
  test('that signs out signs this one out without a request', async () => {
    const { manager, people } = await signedIn()
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
    const { manager, people } = await signedIn()
    b.storage.token = 'the baker’s'
    b.server.readMe.mockResolvedValue(baker)
    manager.syncWithStorage()
    await settle()
    expect(manager.store.read().user).toEqual(baker)
    expect(people.at(-1)).toBe('ada')
  })
})

test('the signed-in user is shown as they have changed themselves, and nobody else is', async () => {
  const { manager } = await signedIn()
  manager.updateUser(baker)
  expect(manager.store.read().user).toEqual(ada)
  manager.updateUser({ ...ada, name: 'Countess of Lovelace' })
  expect(manager.store.read()).toMatchObject({ status: 'signed-in', user: { name: 'Countess of Lovelace' } })
})

test('a stopped manager does nothing', async () => {
  const { manager } = await signedIn()
  manager.stop()
  b.server.exchange.mockClear()
  await vi.advanceTimersByTimeAsync(120 * MINUTE)
  expect(b.server.exchange).not.toHaveBeenCalled()
})
