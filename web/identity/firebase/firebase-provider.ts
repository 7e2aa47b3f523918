import { initializeApp } from '@firebase/app'
import {
  browserLocalPersistence,
  browserPopupRedirectResolver,
  createUserWithEmailAndPassword,
  deleteUser,
  GoogleAuthProvider,
  initializeAuth,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
  updateProfile,
} from '@firebase/auth'
import type { FirebaseOptions } from '#contract/identity.ts'
import type { Provider } from '#web/identity/provider.ts'
import { googleFailureOf, refusalOf } from './errors.ts'

/** A provider whose code is loaded. */
export type SignIn = Omit<Provider, 'prepare'>

/** Firebase as the identity provider, by its SDK, which stores the session in this browser for all tabs. */
export function firebaseProvider(options: FirebaseOptions): SignIn {
  const auth = initializeAuth(initializeApp(options), {
    persistence: browserLocalPersistence,
    popupRedirectResolver: browserPopupRedirectResolver,
  })
  const google = new GoogleAuthProvider().setCustomParameters({ prompt: 'select_account' })

  return {
    async signIn(email, password) {
      await signInWithEmailAndPassword(auth, email, password).catch(throwing(refusalOf))
    },

    async signUp(name, email, password) {
      const { user } = await createUserWithEmailAndPassword(auth, email, password).catch(throwing(refusalOf))
      await giveName(user, name).catch(throwing(refusalOf))
    },

    async signInWithGoogle() {
      await signInWithPopup(auth, google).catch(throwing(googleFailureOf))
    },

    async identity() {
      await auth.authStateReady()
      const user = auth.currentUser
      if (!user) return null
      try {
        return identityOf(user, await user.getIdToken())
      } catch (error) {
        // Firebase has already signed out a disabled user or a revoked session.
        if (auth.currentUser === null) return null
        throw refusalOf(error)
      }
    },

    signOut: () => signOut(auth).catch(throwing(refusalOf)),
  }
}

/** Sets the name of a new account. If that fails the account is deleted, so that the user can register again. */
async function giveName(user: User, name: string): Promise<void> {
  try {
    await updateProfile(user, { displayName: name })
    await user.getIdToken(true) // the token of the sign-up lacks the name
  } catch (error) {
    await deleteUser(user)
    throw error
  }
}

function identityOf({ email, displayName, photoURL, uid }: User, idToken: string) {
  return { idToken, email, name: displayName, photoURL, firebaseUid: uid }
}

function throwing(translate: (error: unknown) => unknown) {
  return (error: unknown) => {
    throw translate(error)
  }
}
