import { FirebaseError } from '@firebase/app'
import { describe, expect, test } from 'vitest'
import { isTransient } from '#web/api/query-client.ts'
import { issuerFailure, signInError, signUpError } from '#web/identity/sign-in/texts.ts'
import { googleFailureOf, toApiError } from './firebase-provider.ts'

const firebaseError = (code: string) => new FirebaseError(code, `Firebase: Error (${code}).`)

const GENERAL = 'Sign-in failed. Please check your credentials.'
const UNREACHABLE = 'The server cannot be reached. Check your connection and try again.'

describe('a Firebase error of a sign-in', () => {
  test.each([
    ['auth/user-not-found', 'No account found with this email address', 'email'],
    ['auth/wrong-password', 'Incorrect password', 'password'],
    ['auth/invalid-email', 'Invalid email address', 'email'],
    ['auth/too-many-requests', 'Too many failed attempts. Please try again later.', undefined],
    ['auth/invalid-credential', GENERAL, undefined],
    ['auth/invalid-login-credentials', GENERAL, undefined],
    ['auth/user-disabled', GENERAL, undefined],
    ['auth/network-request-failed', `${GENERAL} ${UNREACHABLE}`, undefined],
    ['auth/internal-error', GENERAL, undefined],
    ['auth/something-new', GENERAL, undefined],
  ])('%s: %s', (code, text, field) => {
    expect(signInError(toApiError(firebaseError(code)))).toEqual(field ? { text, field } : { text })
  })
})

describe('a Firebase error of a sign-up', () => {
  test.each([
    ['auth/email-already-in-use', 'An account with this email already exists', 'email'],
    ['auth/weak-password', 'Password is too weak. Please use at least 6 characters.', 'password'],
    [
      'auth/password-does-not-meet-requirements',
      'Password is too weak. Please use at least 6 characters.',
      'password',
    ],
    ['auth/invalid-email', 'Invalid email address', 'email'],
    ['auth/operation-not-allowed', 'Account creation failed. Please try again.', undefined],
    ['auth/network-request-failed', `Account creation failed. Please try again. ${UNREACHABLE}`, undefined],
  ])('%s: %s', (code, text, field) => {
    expect(signUpError(toApiError(firebaseError(code)))).toMatchObject(field ? { text, field } : { text })
  })
})

describe('a Firebase error of a popup', () => {
  test.each([
    ['auth/popup-closed-by-user', 'Sign-in cancelled'],
    ['auth/cancelled-popup-request', 'Sign-in cancelled'],
    ['auth/user-cancelled', 'Sign-in cancelled'],
    ['auth/popup-blocked', 'Popup blocked. Please allow popups and try again.'],
    ['auth/unauthorized-domain', 'Google sign-in failed. Please try again.'],
    ['auth/account-exists-with-different-credential', 'Google sign-in failed. Please try again.'],
    ['auth/network-request-failed', 'Google sign-in failed. Please try again.'],
  ])('%s: %s', (code, text) => {
    const error = firebaseError(code)
    const failure = googleFailureOf(error)
    expect(issuerFailure(failure.outcome)).toBe(text)
    expect(failure.cause).toBe(error)
  })
})

test('errors of the network or of Google are temporary; refused credentials are not', () => {
  for (const code of ['auth/network-request-failed', 'auth/internal-error', 'auth/too-many-requests'])
    expect(isTransient(toApiError(firebaseError(code)))).toBe(true)
  for (const code of ['auth/wrong-password', 'auth/invalid-credential', 'auth/email-already-in-use'])
    expect(isTransient(toApiError(firebaseError(code)))).toBe(false)
})

test('an error that is not Firebase’s has no code of Firebase’s', () => {
  expect(toApiError(new Error('auth/wrong-password'))).toMatchObject({ code: 'unavailable' })
  expect(googleFailureOf({ code: 'auth/popup-blocked' }).outcome).toBe('failed')
})
