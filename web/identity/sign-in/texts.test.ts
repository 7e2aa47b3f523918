import { expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import { signInError, signUpError } from './texts.ts'

const errorWith = (code: ErrorCode, path?: string) =>
  new ApiError(400, code, 'what the server says', { issues: path ? [{ path, message: 'is wrong' }] : [] })

test.each([
  [errorWith('no_account'), 'No account found with this email address', 'email'],
  [errorWith('incorrect_password'), 'Incorrect password', 'password'],
  [errorWith('no_password'), 'This account has no password. Please continue with Google.', undefined],
  [errorWith('invalid', 'email'), 'Invalid email address', 'email'],
  [errorWith('too_many_requests'), 'Too many failed attempts. Please try again later.', undefined],
  [errorWith('unavailable'), 'Sign-in failed. Please check your credentials.', undefined],
  [unreachable(new TypeError('fetch failed')), 'Sign-in failed. Please check your credentials.', undefined],
])('a sign-in refused with $code', (error, text, field) => {
  expect(signInError(error)).toEqual(field ? { text, field } : { text })
})

test.each([
  [errorWith('conflict'), 'An account with this email already exists', 'email'],
  [errorWith('invalid', 'password'), 'Password is too weak. Please use at least 6 characters.', 'password'],
  [errorWith('common_password', 'password'), 'what the server says', 'password'],
  [errorWith('invalid', 'email'), 'Invalid email address', 'email'],
  [errorWith('too_many_requests'), 'Account creation failed. Please try again.', undefined],
  [errorWith('unexpected'), 'Account creation failed. Please try again.', undefined],
])('a sign-up refused with $code', (error, text, field) => {
  expect(signUpError(error)).toEqual(field ? { text, field } : { text })
})
