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

/** A provider that is loaded already. */
export type SignIn = Omit<Provider, 'prepare'>

/** The provider that Firebase is, by its own program. Its session is kept in this browser, for all tabs. */
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
        // Whoever was disabled or signed out everywhere has been signed out here by now.
        if (auth.currentUser === null) return null
        throw refusalOf(error)
      }
    },

    signOut: () => signOut(auth).catch(throwing(refusalOf)),
  }
}

/** Names a new account. One that cannot be named is taken back, or its owner could neither name it nor make it anew. */
async function giveName(user: User, name: string): Promise<void> {
  try {
    await updateProfile(user, { displayName: name })
    await user.getIdToken(true) // the token that the sign-up left behind knows no name
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
