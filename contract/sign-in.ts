// Apart from the schemas in identity.ts, so that a page needs no zod to keep its session.

export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128

/** How long an application token is good for. */
export const TOKEN_SECONDS = 60 * 60

/**
 * The sentences of spec section 8 for what an identity provider refuses, and those for what the specification leaves
 * open: something is missing, only Google opens the account, everybody would guess the password.
 */
export const signInTexts = {
  noAccount: 'No account found with this email address',
  incorrectPassword: 'Incorrect password',
  noPassword: 'This account has no password. Please continue with Google.',
  emailRequired: 'Email is required',
  invalidEmail: 'Invalid email address',
  passwordRequired: 'Password is required',
  tooManyAttempts: 'Too many failed attempts. Please try again later.',
  emailTaken: 'An account with this email already exists',
  weakPassword: 'Password is too weak. Please use at least 6 characters.',
  commonPassword: 'This password is too common. Please choose another.',
} as const
