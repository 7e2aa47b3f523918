// Separate from the schemas in identity.ts, so that the sign-in screens need no zod for their texts.

export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128

/** For how long a proof of who somebody is suffices for calls with `needsProof`. Signing in is one, too. */
export const PROOF_MINUTES = 10

/**
 * The messages of section 8 of the specification for refusals of an identity provider, and messages for the cases that it leaves
 * open: a missing field, an account without a password, a common password.
 */
export const signInTexts = {
  noAccount: 'No account found with this email address',
  incorrectPassword: 'Incorrect password',
  emailRequired: 'Email is required',
  invalidEmail: 'Invalid email address',
  oneEmail: 'Enter one email address at a time',
  passwordRequired: 'Password is required',
  tooManyAttempts: 'Too many failed attempts. Please try again later.',
  emailTaken: 'An account with this email already exists',
  weakPassword: 'Password is too weak. Please use at least 6 characters.',
  commonPassword: 'This password is too common. Please choose another.',
  secondFactorRequired: 'Enter a code of your authenticator app to sign in',
} as const

// The sign-in through an issuer: Google, or another OpenID Connect server that replaces it. On the wire its name is always `google`.

export const ISSUER_START = '/api/auth/google/start'
/** Where the person of a session proves who they are. */
export const ISSUER_PROOF = '/api/auth/google/proof'
export const ISSUER_CALLBACK = '/api/auth/google/callback'
/** The type of the message that its window posts to the page that opened it. */
export const ISSUER_MESSAGE = 'milepost:google'

/**
 * The outcomes of such a sign-in. `second-factor`: the account also requires a code. `unavailable`: the issuer could not be
 * reached. `closed`: the person has no account and may not create one. `unverified`: the address has an
 * account here, and the issuer does not vouch for it. `taken`: another person of the issuer has the address here. `no-address`: the
 * issuer sent none. `refused`: the issuer refused this server. `expired`: the sign-in took too long, or began elsewhere. `proven`: the
 * person of a session has proved who they are; `other-account`: not that person did; `not-asked`: the issuer has not asked them again.
 */
export const ISSUER_OUTCOMES = [
  'signed-in',
  'second-factor',
  'cancelled',
  'unavailable',
  'closed',
  'unverified',
  'taken',
  'no-address',
  'refused',
  'expired',
  'failed',
  'proven',
  'other-account',
  'not-asked',
] as const
export type IssuerOutcome = (typeof ISSUER_OUTCOMES)[number]

/** The fragment of a page's URL that carries the outcome of a sign-in in the same tab. */
export const ISSUER_FRAGMENT = '#google='

/** The maximum length of the URL of the page to which a sign-in in the same tab returns: it is in a cookie meanwhile. */
export const ISSUER_BACK_MAX = 600

/** Returns why an account without a password cannot be signed in to with one. */
export const noPasswordOf = (issuerName: string): string =>
  `This account has no password. Please continue with ${issuerName}.`

export type IssuerMessage = {
  type: typeof ISSUER_MESSAGE
  /** A random name that the page gave the window, known only to the page, the window and the server. */
  window: string
  outcome: IssuerOutcome
}
