import type { FirebaseOptions } from '#contract/identity.ts'
import { unreachable } from '#web/api/api-error.ts'
import type { Provider } from '#web/identity/provider.ts'
import type { SignIn } from './firebase-provider.ts'

/** Firebase as the identity provider; its SDK is loaded on first use. */
export function hostedProvider(options: FirebaseOptions): Provider {
  let loading: Promise<SignIn> | null = null

  function load(): Promise<SignIn> {
    loading ??= import('./firebase-provider.ts').then(
      ({ firebaseProvider }) => firebaseProvider(options),
      (error: unknown) => {
        loading = null
        throw unreachable(error)
      },
    )
    return loading
  }

  return {
    prepare() {
      load().catch(() => {}) // signing in retries the load and reports a failure
    },
    signIn: async (email, password) => (await load()).signIn(email, password),
    signUp: async (name, email, password) => (await load()).signUp(name, email, password),
    signInWithIssuer: async () => (await load()).signInWithIssuer(),
    identity: async () => (await load()).identity(),
    signOut: async () => (await load()).signOut(),
  }
}
