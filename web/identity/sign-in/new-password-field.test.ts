import { expect, test } from 'vitest'
import { passwordStrength, strengthLabels } from './new-password-field.tsx'

test.each([
  ['', 'Too weak'],
  ['abcde', 'Too weak'],
  ['абвгд', 'Too weak'],
  ['abcdef', 'Weak'],
  ['ÄÖÜäöü', 'Fair'],
  ['abc12', 'Weak'],
  ['kitten9', 'Fair'],
  ['Kitten9', 'Good'],
  ['kitten-9', 'Good'],
  ['🚲🚲🚲🚲🚲', 'Weak'],
  ['Kitten-9', 'Strong'],
  ['Difference Engine 2', 'Strong'],
])('the password %j is %s', (password, label) => {
  expect(strengthLabels[passwordStrength(password)]).toBe(label)
})

test('length, both cases, a digit and a sign earn a point each', () => {
  for (const length of ['', 'zzzzzz']) {
    for (const cases of ['', 'aA']) {
      for (const digit of ['', '1']) {
        for (const sign of ['', '!']) {
          const parts = [length, cases, digit, sign]
          expect(passwordStrength(parts.join(''))).toBe(parts.filter((part) => part !== '').length)
        }
      }
    }
  }
})
