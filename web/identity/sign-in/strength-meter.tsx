import { clsx } from 'clsx'
import { PASSWORD_MIN } from '#contract/sign-in.ts'

const faces: Record<Strength, { bar: string; text: string }> = {
  0: { bar: 'bg-danger', text: 'text-danger' },
  1: { bar: 'bg-danger', text: 'text-danger' },
  2: { bar: 'bg-warning', text: 'text-warning' },
  3: { bar: 'bg-success', text: 'text-success' },
  4: { bar: 'bg-success', text: 'text-success' },
}

/** Four steps that a password climbs as it gets harder to guess, and the word for where it stands. */
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
