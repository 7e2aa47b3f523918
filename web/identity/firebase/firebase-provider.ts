import { FirebaseError, initializeApp } from '@firebase/app'
import {
  type Auth,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  GoogleAuthProvider,
  initializeAuth,
  reauthenticateWithCredential,
  reauthenticateWithPopup,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
  updateProfile,
} from '@firebase/auth'
import type { FirebaseOptions } from '#contract/identity.ts'
import { signInTexts } from '#contract/sign-in.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import { IssuerFailure, type Provider } from '#web/identity/provider.ts'

/** The methods of a provider whose code is loaded. */
export type SignIn = Omit<Provider, 'prepare'>

/** How the signed-in user proves again who they are. The next ID token has the time. */
export type SignInAgain = {
  /** Returns whether they have a password, and whether they sign in with Google. */
  methods(): Promise<{ password: boolean; google: boolean }>
  withPassword(password: string): Promise<void>
  /** Opens a popup, so it must be called within the click event. Throws IssuerFailure. */
  withGoogle(): Promise<void>
}

/** Firebase as the identity provider. Its SDK stores the session in this browser for all tabs. */
export function firebaseProvider(options: FirebaseOptions): SignIn & { again: SignInAgain } {
  const auth = initializeAuth(initializeApp(options), {
    persistence: browserLocalPersistence,
    popupRedirectResolver: browserPopupRedirectResolver,
  })
  const google = new GoogleAuthProvider().setCustomParameters({ prompt: 'select_account' })

  return {
    async signIn(email, password) {
      await signInWithEmailAndPassword(auth, email, password).catch(throwing(toApiError))
    },

    async signUp(name, email, password) {
      const { user } = await createUserWithEmailAndPassword(auth, email, password).catch(throwing(toApiError))
      await giveName(user, name).catch(throwing(toApiError))
    },

    async signInWithIssuer() {
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
        throw toApiError(error)
      }
    },

    signOut: () => signOut(auth).catch(throwing(toApiError)),

    again: {
      async methods() {
        await auth.authStateReady()
        const has = (id: string) =>
          auth.currentUser?.providerData.some(({ providerId }) => providerId === id) ?? false
        return { password: has('password'), google: has('google.com') }
      },

      async withPassword(password) {
        const user = signedIn(auth)
        const credential = EmailAuthProvider.credential(user.email ?? '', password)
        await reauthenticateWithCredential(user, credential).catch(throwing(toApiError))
      },

      async withGoogle() {
        await reauthenticateWithPopup(signedIn(auth), google).catch(throwing(googleFailureOf))
      },
    },
  }
}

function signedIn({ currentUser }: Auth): User {
  if (!currentUser) throw new ApiError(401, 'not_signed_in', 'Please sign in to continue')
  return currentUser
}

/** Sets the name of a new account. If that fails the account is deleted, so that the user can register again. */
async function giveName(user: User, name: string): Promise<void> {
  try {
    await updateProfile(user, { displayName: name })
    await user.getIdToken(true) // the token from the sign-up lacks the name
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

const weakPassword = () => about('password', signInTexts.weakPassword)
const wrongCredentials = () => new ApiError(401, 'not_signed_in', 'The address or the password is wrong')

/** Maps Firebase's error codes to ours. With enumeration protection, Firebase returns `invalid-credential` for an unknown email and a wrong password alike. */
const apiErrors: { [code: string]: () => ApiError } = {
  'auth/user-not-found': () => new ApiError(401, 'no_account', signInTexts.noAccount),
  'auth/wrong-password': () => new ApiError(401, 'incorrect_password', signInTexts.incorrectPassword),
  'auth/invalid-credential': wrongCredentials,
  'auth/invalid-login-credentials': wrongCredentials,
  'auth/invalid-email': () => about('email', signInTexts.invalidEmail),
  'auth/too-many-requests': () => new ApiError(429, 'too_many_requests', signInTexts.tooManyAttempts),
  'auth/email-already-in-use': () => new ApiError(409, 'conflict', signInTexts.emailTaken),
  'auth/weak-password': weakPassword,
  'auth/password-does-not-meet-requirements': weakPassword,
}

const googleFailures: { [code: string]: IssuerFailure['outcome'] } = {
  'auth/popup-closed-by-user': 'cancelled',
  'auth/cancelled-popup-request': 'cancelled',
  'auth/user-cancelled': 'cancelled',
  'auth/popup-blocked': 'blocked',
}

/** Converts a Firebase error to the error that the local provider would have thrown. */
export function toApiError(error: unknown): ApiError {
  const code = codeOf(error)
  if (code === 'auth/network-request-failed') return unreachable(error)
  return apiErrors[code]?.() ?? unavailable(error)
}

/** Converts an error of a sign-in with Google through Firebase. */
export function googleFailureOf(error: unknown): IssuerFailure {
  return new IssuerFailure(googleFailures[codeOf(error)] ?? 'failed', { cause: error })
}

function codeOf(error: unknown): string {
  return error instanceof FirebaseError ? error.code : ''
}

function about(path: string, message: string): ApiError {
  return new ApiError(400, 'invalid', message, { issues: [{ path, message }] })
}

function unavailable(cause: unknown): ApiError {
  return new ApiError(503, 'unavailable', 'Signing in is not possible right now.', {}, { cause })
}
