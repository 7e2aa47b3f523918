import { FirebaseError } from '@firebase/app'
import { signInTexts } from '#contract/sign-in.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import { GoogleFailure } from '#web/identity/provider.ts'

const weakPassword = () => about('password', signInTexts.weakPassword)
const wrongCredentials = () => new ApiError(401, 'not_signed_in', 'The address or the password is wrong')

/** Maps Firebase's error codes to ours. With enumeration protection, Firebase returns `invalid-credential` for an unknown email and a wrong password alike. */
const refusals: { [code: string]: () => ApiError } = {
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

const googleFailures: { [code: string]: GoogleFailure['outcome'] } = {
  'auth/popup-closed-by-user': 'cancelled',
  'auth/cancelled-popup-request': 'cancelled',
  'auth/user-cancelled': 'cancelled',
  'auth/popup-blocked': 'blocked',
}

/** Converts a Firebase error to the error that the local provider would have thrown. */
export function refusalOf(error: unknown): ApiError {
  const code = codeOf(error)
  if (code === 'auth/network-request-failed') return unreachable(error)
  return refusals[code]?.() ?? unavailable(error)
}

/** Converts an error of a sign-in with Google through Firebase. */
export function googleFailureOf(error: unknown): GoogleFailure {
  return new GoogleFailure(googleFailures[codeOf(error)] ?? 'failed', { cause: error })
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
