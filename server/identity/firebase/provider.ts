import type { Logger } from 'pino'
import type { FirebaseOptions } from '#contract/identity.ts'
import type { Provider } from '#server/identity/provider.ts'
import { verifyIdToken } from './id-tokens.ts'
import { signingKeys } from './keys.ts'

type Deps = {
  firebase: FirebaseOptions
  log: Logger
  clock: () => Date
  /** Where the keys lie, if not at Google. */
  keysUrl?: URL
}

/** The hosted provider: browsers sign in at Firebase themselves, and this server verifies what they bring back. */
export function createFirebaseProvider({ firebase, log, clock, keysUrl }: Deps): Provider {
  const keys = signingKeys(log, keysUrl)
  const { projectId } = firebase
  return {
    options: { provider: 'firebase', google: true, firebase },
    verifyIdToken: (idToken) => verifyIdToken(idToken, { keys, projectId, now: clock() }),
    endSession: async () => undefined,
    mount: async () => undefined,
  }
}
