import { PASSWORD_MIN } from '#contract/sign-in.ts'

export const strengthLabels = ['Too weak', 'Weak', 'Fair', 'Good', 'Strong'] as const

export type Strength = 0 | 1 | 2 | 3 | 4

/** What earns a password a point each. */
const merits: ((password: string) => boolean)[] = [
  (password) => [...password].length >= PASSWORD_MIN,
  (password) => /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password),
  (password) => /\p{Nd}/u.test(password),
  (password) => /[^\p{L}\p{N}]/u.test(password),
]

/** How strong a password is, in points. */
export function passwordStrength(password: string): Strength {
  return merits.filter((has) => has(password)).length as Strength
}
