import { clsx } from 'clsx'
import { z } from 'zod'
import { characters } from '#contract/characters.ts'
import { isCommonPassword } from '#contract/common-passwords.ts'
import { signUpFields } from '#contract/identity.ts'
import { PASSWORD_MIN, signInTexts } from '#contract/sign-in.ts'

const faces: Record<Strength, { bar: string; text: string }> = {
  0: { bar: 'bg-danger', text: 'text-danger' },
  1: { bar: 'bg-danger', text: 'text-danger' },
  2: { bar: 'bg-warning', text: 'text-warning' },
  3: { bar: 'bg-success', text: 'text-success' },
  4: { bar: 'bg-success', text: 'text-success' },
}

/** Shows the strength of a password as four bars and a label. */
export function StrengthMeter({ password }: { password: string }) {
  const strength = passwordStrength(password)
  const label = password === '' ? '' : strengthLabels[strength]
  return (
    <div className="mt-0.5 flex h-5 items-center gap-3">
      <meter aria-label="Password strength" min={0} max={4} value={strength} className="sr-only">
        {label}
      </meter>
      <div className="grid flex-1 grid-cols-4 gap-1.5" aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={clsx(
              'h-1 rounded-full transition-colors',
              step <= strength ? faces[strength].bar : 'bg-line',
            )}
          />
        ))}
      </div>
      <span
        aria-live="polite"
        className={clsx('w-16 text-right text-xs font-semibold', faces[strength].text)}
      >
        {label}
      </span>
    </div>
  )
}

export const strengthLabels = ['Too weak', 'Weak', 'Fair', 'Good', 'Strong'] as const

type Strength = 0 | 1 | 2 | 3 | 4

/** The criteria of a strong password, a point each. */
const criteria: ((password: string) => boolean)[] = [
  (password) => [...password].length >= PASSWORD_MIN,
  (password) => /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password),
  (password) => /\p{Nd}/u.test(password),
  (password) => /[^\p{L}\p{N}]/u.test(password),
]

/** Returns the strength of a password in points. */
export function passwordStrength(password: string): Strength {
  return criteria.filter((has) => has(password)).length as Strength
}

export const MISMATCH = 'Passwords do not match'
const TOO_SHORT = `Password must be at least ${PASSWORD_MIN} characters long`

const wanted = signUpFields.extend({
  password: z
    .string()
    .min(1, { message: signInTexts.passwordRequired, abort: true })
    .refine((password) => characters(password) >= PASSWORD_MIN, { message: TOO_SHORT, abort: true })
    .refine((password) => !isCommonPassword(password), { message: signInTexts.commonPassword, abort: true })
    .pipe(signUpFields.shape.password),
})

const typed = z.object({
  name: z.string(),
  email: z.string(),
  password: z.string(),
  confirmation: z.string(),
})

/** The schema of the registration form. Differing passwords are reported whatever else is wrong. */
export const registration = typed.transform((fields, context) => {
  const { data, error } = wanted.safeParse(fields)
  if (fields.password !== fields.confirmation)
    context.addIssue({ code: 'custom', path: ['confirmation'], message: MISMATCH })
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
  return data ?? z.NEVER
})
