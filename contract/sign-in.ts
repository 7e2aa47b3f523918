// Apart from the schemas in identity.ts, so that a page needs no zod to keep its session.

export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128

/** How long an application token is good for. */
export const TOKEN_SECONDS = 60 * 60

/** The sentences of spec section 8 for what an identity provider refuses, and one for an account that only Google opens. */
export const signInTexts = {
  noAccount: 'No account found with this email address',
  incorrectPassword: 'Incorrect password',
  noPassword: 'This account has no password. Please continue with Google.',
  invalidEmail: 'Invalid email address',
  tooManyAttempts: 'Too many failed attempts. Please try again later.',
  emailTaken: 'An account with this email already exists',
  weakPassword: 'Password is too weak. Please use at least 6 characters.',
} as const
