import { expect, test } from 'vitest'
import { registration } from './registration.ts'

/** Returns the errors of a form with these values, by field. */
function faults(typed: object) {
  const fields = { name: 'Ada', email: 'ada@example.test', password: 'engine-no-2', ...typed }
  const { error } = registration.safeParse({ confirmation: fields.password, ...fields })
  return Object.fromEntries(error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [])
}

test.each([
  ['nothing', {}, {}],
  [
    'a common password',
    { password: 'Password1!' },
    { password: 'This password is too common. Please choose another.' },
  ],
  ['a short password', { password: 'abc' }, { password: 'Password must be at least 6 characters long' }],
  ['no password', { password: '' }, { password: 'Password is required' }],
  ['no email', { email: '' }, { email: 'Email is required' }],
  ['an invalid address', { email: 'ada' }, { email: 'Invalid email address' }],
])('a registration with %s shows an error', (_, typed, expected) => {
  expect(faults(typed)).toEqual(expected)
})

test('a password may be composed differently in its confirmation', () => {
  expect(
    faults({ password: 'Brötchen mit Käse', confirmation: 'Brötchen mit Käse'.normalize('NFD') }),
  ).toEqual({})
})

test.each(['Password1!', 'abc', 'engine-no-2'])(
  'differing passwords show an error, even if the first one is %s',
  (password) => {
    expect(faults({ password, confirmation: 'another' }).confirmation).toBe('Passwords do not match')
  },
)
