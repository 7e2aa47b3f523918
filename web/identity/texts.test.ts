import { expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import { signInRefusal, signUpRefusal } from './texts.ts'

const refusal = (code: ErrorCode, path?: string) =>
  new ApiError(400, code, 'what the server says', { issues: path ? [{ path, message: 'is wrong' }] : [] })

test.each([
  [refusal('no_account'), 'No account found with this email address', 'email'],
  [refusal('incorrect_password'), 'Incorrect password', 'password'],
  [refusal('no_password'), 'This account has no password. Please continue with Google.', undefined],
  [refusal('invalid', 'email'), 'Invalid email address', 'email'],
  [refusal('too_many_requests'), 'Too many failed attempts. Please try again later.', undefined],
  [refusal('unavailable'), 'Sign-in failed. Please check your credentials.', undefined],
  [unreachable(new TypeError('fetch failed')), 'Sign-in failed. Please check your credentials.', undefined],
])('a sign-in refused with $code', (error, text, field) => {
  expect(signInRefusal(error)).toEqual(field ? { text, field } : { text })
})

test.each([
  [refusal('conflict'), 'An account with this email already exists', 'email'],
  [refusal('invalid', 'password'), 'Password is too weak. Please use at least 6 characters.', 'password'],
  [refusal('common_password', 'password'), 'This password is too common. Please choose another.', 'password'],
  [refusal('invalid', 'email'), 'Invalid email address', 'email'],
  [refusal('too_many_requests'), 'Account creation failed. Please try again.', undefined],
  [refusal('unexpected'), 'Account creation failed. Please try again.', undefined],
])('a sign-up refused with $code', (error, text, field) => {
  expect(signUpRefusal(error)).toEqual(field ? { text, field } : { text })
})
