import type { User } from '#contract/identity.ts'

/**
 * Who is signed in on this page. `isUnreachable`: a stored session is waiting for a server that does not respond.
 * `hasEnded`: the session ended without the user having signed out here.
 */
export type SessionState = {
  status: 'loading' | 'signed-in' | 'signed-out'
  user: User | null
  isUnreachable: boolean
  hasEnded?: boolean
}

export const LOADING: SessionState = { status: 'loading', user: null, isUnreachable: false }
export const SIGNED_OUT: SessionState = { status: 'signed-out', user: null, isUnreachable: false }
export const ENDED: SessionState = { ...SIGNED_OUT, hasEnded: true }

/** The session state as an external store for React. A change of user is reported before subscribers are notified. */
export class SessionStore {
  readonly #onUserChange: (previous: SessionState) => void
  readonly #listeners = new Set<() => void>()
  #state = LOADING

  constructor(onUserChange: (previous: SessionState) => void) {
    this.#onUserChange = onUserChange
  }

  read = (): SessionState => this.#state

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  set(next: SessionState): void {
    const previous = this.#state
    this.#state = next
    if (next.user?._id !== previous.user?._id) this.#onUserChange(previous)
    for (const listener of this.#listeners) listener()
  }

  /** Resolves at the next change of state. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        stop()
        resolve()
      })
    })
  }
}
