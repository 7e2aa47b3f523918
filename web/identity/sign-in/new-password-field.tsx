import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { PASSWORD_MIN } from '#contract/sign-in.ts'
import { Field, PasswordInput } from '#web/ui/controls/field.tsx'

type NewPasswordFieldProps = {
  label: string
  hint?: string
  /** The error, if the form shows it at the field. */
  error?: string | undefined
  /** Marks the field as invalid if the banner of its form shows the error. */
  invalid?: boolean
  /** The current value. */
  password: string | undefined
} & ComponentProps<typeof PasswordInput>

/** A field for a new password, with its strength. */
export function NewPasswordField({
  label,
  hint = `At least ${PASSWORD_MIN} characters; a few words are easy to remember.`,
  error,
  invalid,
  password = '',
  ...input
}: NewPasswordFieldProps) {
  return (
    <div className="flex w-full flex-col gap-2">
      <Field label={label} hint={hint} {...(error !== undefined && { error })}>
        <PasswordInput autoComplete="new-password" {...(invalid && { 'aria-invalid': true })} {...input} />
      </Field>
      <StrengthMeter password={password} />
    </div>
  )
}

const faces: Record<Strength, { bar: string; text: string }> = {
  0: { bar: 'bg-danger', text: 'text-danger' },
  1: { bar: 'bg-danger', text: 'text-danger' },
  2: { bar: 'bg-warning', text: 'text-warning' },
  3: { bar: 'bg-success', text: 'text-success' },
  4: { bar: 'bg-success', text: 'text-success' },
}

/** Shows the strength of a password as four bars and a label. */
function StrengthMeter({ password }: { password: string }) {
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

/** The criteria of a strong password, one point each. */
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
