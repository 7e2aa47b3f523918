import type { User } from '#contract/identity.ts'
import type { ProvidedIdentity, Provider } from './provider.ts'
import type { SessionState } from './session-state.ts'

/** What the manager works with; tests give their own. */
export type SessionDeps = {
  provider: Provider
  exchange(identity: ProvidedIdentity): Promise<{ token: string; user: User }>
  readMe(): Promise<User>
  /** Revokes an application token; goes out also from a page that is being left. */
  revoke(token: string): Promise<void>
  tokens: { read(): string | null; store(token: string | null): void }
  /** Runs one piece of work at a time across all tabs of this browser. */
  exclusively(work: () => Promise<void>): Promise<void>
  /** Is told, before anybody else, that another person or nobody is signed in now. */
  onPerson(previous: SessionState): void
  say(text: string): void
}
