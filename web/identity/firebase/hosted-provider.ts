import type { FirebaseOptions } from '#contract/identity.ts'
import { unreachable } from '#web/api/api-error.ts'
import type { Provider } from '#web/identity/provider.ts'
import type { SignIn } from './firebase-provider.ts'

/** Firebase as the provider. Its program is loaded when it is first needed, and never where it is not the provider. */
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
      load().catch(() => {}) // whoever signs in loads it again, and hears of it
    },
    signIn: async (email, password) => (await load()).signIn(email, password),
    signUp: async (name, email, password) => (await load()).signUp(name, email, password),
    signInWithGoogle: async () => (await load()).signInWithGoogle(),
    identity: async () => (await load()).identity(),
    signOut: async () => (await load()).signOut(),
  }
}
