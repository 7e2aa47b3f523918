import type { User } from '#contract/identity.ts'

/**
 * Who is signed in on this page. `isUnreachable`: a stored session waits for a server that does not answer. `hasEnded`: there
 * was a session, which ended without the person having signed out here.
 */
export type SessionState = {
  status: 'loading' | 'signed-in' | 'signed-out'
  user: User | null
  isUnreachable: boolean
  hasEnded?: boolean
}

export const LOADING: SessionState = { status: 'loading', user: null, isUnreachable: false }
export const NOBODY: SessionState = { status: 'signed-out', user: null, isUnreachable: false }
export const ENDED: SessionState = { ...NOBODY, hasEnded: true }

/** The state as an external store for React, which tells of a change of person before it tells anybody else. */
export class SessionStore {
  readonly #onPerson: (previous: SessionState) => void
  readonly #listeners = new Set<() => void>()
  #state = LOADING

  constructor(onPerson: (previous: SessionState) => void) {
    this.#onPerson = onPerson
  }

  read = (): SessionState => this.#state

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  become(next: SessionState): void {
    const previous = this.#state
    this.#state = next
    if (next.user?._id !== previous.user?._id) this.#onPerson(previous)
    for (const listener of this.#listeners) listener()
  }

  /** Resolves when the state changes next. */
  change(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        stop()
        resolve()
      })
    })
  }
}
