import { signInTexts } from '#contract/sign-in.ts'
import { type ApiError, type ApiErrorCode, withCause } from '#web/api/api-error.ts'
import type { IssuerFailure } from '#web/identity/provider.ts'
import { accountRefusals } from '#web/identity/session-manager.ts'

export const sessionEnded = 'Your session has ended. Sign in to go on.'
export const noIssuer = 'Google sign-in is not set up on this server. Please use your email and password.'

/** Returns the message of a failed sign-in with Google, or with the issuer that replaces it. */
export function issuerFailure(outcome: IssuerFailure['outcome'], issuer = 'Google'): string {
  const failed = `${issuer} sign-in failed. Please try again.`
  const texts: { [outcome in IssuerFailure['outcome']]: string } = {
    'second-factor': signInTexts.secondFactorRequired,
    cancelled: 'Sign-in cancelled',
    blocked: 'Popup blocked. Please allow popups and try again.',
    unavailable: `${issuer} cannot be reached from this server at the moment. Please try again later.`,
    closed: 'You have no account on this server, and need an invitation to make one.',
    failed,
    expired: `${failed} It took longer than ten minutes, or began in another browser.`,
    refused: `${failed} ${issuer} refused this server: its operator finds the reason in the log.`,
    'no-address': `${failed} ${issuer} sent no email address: add one to your account there, or ask its operator to share it with this server.`,
    unverified: `${failed} Your address has an account here, and ${issuer} has not confirmed that the address is yours: sign in the way you did before, or have it confirmed there.`,
    proven: failed,
    'other-account': `This is another ${issuer} account than yours. Please choose the one with which you sign in here.`,
    'not-asked': `${issuer} has not asked you to sign in again. Please use another way.`,
    taken: `${failed} Your address belongs here to another account at ${issuer}: sign in with that one.`,
  }
  return texts[outcome]
}

/** The message of a provider's error, and the field that it concerns. */
export type FormError = { text: string; field?: 'email' | 'password' }

const invalidEmail: FormError = { text: signInTexts.invalidEmail, field: 'email' }

const signInErrors: { [code in ApiErrorCode]?: FormError } = {
  no_account: { text: signInTexts.noAccount, field: 'email' },
  incorrect_password: { text: signInTexts.incorrectPassword, field: 'password' },
  too_many_requests: { text: signInTexts.tooManyAttempts },
}

/** Returns the reason why a sign-in with email and password failed. */
export function signInError(error: ApiError): FormError {
  if (isAbout(error, 'email')) return invalidEmail
  if (accountRefusals.has(error.code) || error.code === 'no_password') return { text: error.message }
  return (
    signInErrors[error.code] ?? { text: withCause('Sign-in failed. Please check your credentials.', error) }
  )
}

/** Returns the reason why a sign-up failed. */
export function signUpError(error: ApiError): FormError {
  if (isAbout(error, 'email')) return invalidEmail
  if (accountRefusals.has(error.code)) return { text: error.message }
  if (error.code === 'common_password') return { text: error.message, field: 'password' }
  if (isAbout(error, 'password')) return { text: signInTexts.weakPassword, field: 'password' }
  if (error.code === 'conflict' || error.code === 'incorrect_password')
    return { text: signInTexts.emailTaken, field: 'email' }
  return { text: withCause('Account creation failed. Please try again.', error) }
}

function isAbout(error: ApiError, field: string): boolean {
  return error.issues.some(({ path }) => path === field)
}
