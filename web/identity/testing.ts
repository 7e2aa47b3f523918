import { expect, vi } from 'vitest'
import type { User } from '#contract/identity.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import type { ProvidedIdentity, Provider } from './provider.ts'
import type { SessionDeps } from './session-manager.ts'
import { SessionManager } from './session-manager.ts'

export const MINUTE = 60_000

export const ada: User = { _id: 'ada', name: 'Ada Lovelace', email: 'ada@example.test' }
export const baker: User = { _id: 'baker', name: 'The bread baker', email: 'baker@example.test' }

export const identity: ProvidedIdentity = {
  idToken: 'an ID token',
  email: ada.email,
  name: ada.name,
  photoURL: null,
  firebaseUid: 'ada',
}

export const refused = (status = 401) => new ApiError(status, 'not_signed_in', 'Please sign in to continue')
export const offline = () => unreachable(new TypeError('fetch failed'))

export const settle = () => vi.advanceTimersByTimeAsync(0)

export type Browser = ReturnType<typeof browser>

/** A browser: its storage, its lock, and the server. Each tab is a manager. Needs fake timers. */
export function browser() {
  const storage = { token: null as string | null, isKept: true }
  let queue = Promise.resolve()
  let exchanges = 0
  const server = {
    signIn: vi.fn<Provider['signIn']>(async () => {}),
    signUp: vi.fn<Provider['signUp']>(async () => {}),
    signInWithIssuer: vi.fn<Provider['signInWithIssuer']>(async () => {}),
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
        areKept: () => storage.isKept,
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
  async function signedIn() {
    storage.token = 'stored'
    const opened = tab()
    opened.manager.start()
    await settle()
    expect(opened.manager.store.read()).toEqual({ status: 'signed-in', user: ada, isUnreachable: false })
    return opened
  }
  return { storage, server, tab, signedIn }
}
