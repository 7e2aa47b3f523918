import { expect, test } from 'vitest'
import type { ErrorCode } from '#contract/parts/errors.ts'
import { ISSUER_OUTCOMES } from '#contract/sign-in.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import { issuerFailure, signInError, signUpError } from './texts.ts'

const says = (code: ErrorCode, message: string) => new ApiError(403, code, message, { isFromServer: true })

const errorWith = (code: ErrorCode, path?: string) =>
  new ApiError(400, code, 'what the server says', { issues: path ? [{ path, message: 'is wrong' }] : [] })

test.each([
  [errorWith('no_account'), 'No account found with this email address', 'email'],
  [errorWith('incorrect_password'), 'Incorrect password', 'password'],
  [errorWith('no_password'), 'what the server says', undefined],
  [errorWith('invalid', 'email'), 'Invalid email address', 'email'],
  [errorWith('too_many_requests'), 'Too many failed attempts. Please try again later.', undefined],
  [errorWith('unavailable'), 'Sign-in failed. Please check your credentials.', undefined],
  [
    unreachable(new TypeError('fetch failed')),
    'Sign-in failed. Please check your credentials. The server cannot be reached. Check your connection and try again.',
    undefined,
  ],
  [
    says('foreign_origin', 'This server is reached at https://milepost.example.'),
    'Sign-in failed. Please check your credentials. This server is reached at https://milepost.example.',
    undefined,
  ],
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
  [
    unreachable(new TypeError('fetch failed')),
    'Account creation failed. Please try again. The server cannot be reached. Check your connection and try again.',
    undefined,
  ],
  [
    says('forbidden', 'Pages of other sites cannot sign anybody in'),
    'Account creation failed. Please try again. Pages of other sites cannot sign anybody in.',
    undefined,
  ],
])('a sign-up refused with $code', (error, text, field) => {
  expect(signUpError(error)).toEqual(field ? { text, field } : { text })
})

test('a failed sign-in names the issuer, and Google where it is Google', () => {
  const outcomes = ISSUER_OUTCOMES.filter((outcome) => outcome !== 'signed-in')
  const texts = outcomes.map((outcome) => issuerFailure(outcome, 'Casa Lovelace'))
  expect(texts.join(' ')).not.toContain('Google')
  expect(issuerFailure('failed')).toBe('Google sign-in failed. Please try again.')
  expect(issuerFailure('refused', 'Casa Lovelace')).toBe(
    'Casa Lovelace sign-in failed. Please try again. Casa Lovelace refused this server: its operator finds the reason in the log.',
  )
})
