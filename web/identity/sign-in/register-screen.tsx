import { type KeyboardEvent, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { CachedParams } from '#contract/rendering.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useSession } from '#web/identity/session.tsx'
import { signUpRefusal } from '#web/identity/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput, TextInput } from '#web/ui/text-input.tsx'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import { Entrance, keepingRedirect, linkClass } from './auth-page-layout.tsx'
import { MISMATCH, registration } from './registration.ts'
import { StrengthMeter } from './strength-meter.tsx'
import { useCredentials } from './use-credentials.ts'

const UNACCEPTED = 'Please accept the terms and conditions'

export const cachedParams: CachedParams = { redirect: 'uncached' }

/** Where people make an account. Whoever has, is led on by the signed-out-only layout around this screen. */
export default function RegisterScreen() {
  const { signUp } = useSession()
  const [search] = useSearchParams()
  const isAlive = useHydrated()
  const [accepted, setAccepted] = useState(false)
  const { form, fault, setFault, submit } = useCredentials({
    schema: registration,
    told: ['name', 'email', 'confirmation', 'password'],
    send: ({ name, email, password }) => signUp(name, email, password),
    refusalOf: signUpRefusal,
    otherwise: 'Registration failed',
  })
  const { errors, isSubmitted, isSubmitting } = form.formState
  const password = form.watch('password', '')
  const confirmation = form.watch('confirmation', '')
  // Told while typing, never on leaving the field: that would move the button away under the click that left it.
  const hasStrayed = isSubmitted ? password !== confirmation : !password.startsWith(confirmation)

  /** Enter sends nothing while the button is disabled, so it says why. */
  function explainTerms({ key, target }: KeyboardEvent) {
    if (key === 'Enter' && !accepted && target instanceof HTMLInputElement) setFault(UNACCEPTED)
  }

  return (
    <Entrance
      title="Create your account"
      lede="A name, an address, a password, and you are on your way."
      fault={fault}
      onFault={setFault}
      onSubmit={(event) => void submit(event)}
      onKeyDown={explainTerms}
      otherwise={
        <>
          Been here before?{' '}
          <Link to={keepingRedirect('/login', search)} className={linkClass}>
            Sign in
          </Link>
        </>
      }
    >
      <ScreenTitle>Create Account</ScreenTitle>
      <Field label="Full Name">
        <TextInput
          autoComplete="name"
          aria-invalid={errors.name ? true : undefined}
          {...form.register('name')}
        />
      </Field>
      <Field label="Email">
        <TextInput
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={errors.email ? true : undefined}
          {...form.register('email')}
        />
      </Field>
      <div className="flex flex-col gap-2">
        <Field label="Password" hint="At least 6 characters; a few words in a row are easy to remember.">
          <PasswordInput
            autoComplete="new-password"
            aria-invalid={errors.password ? true : undefined}
            {...form.register('password')}
          />
        </Field>
        <StrengthMeter password={password} />
      </div>
      <Field label="Confirm Password" {...(hasStrayed && { error: MISMATCH })}>
        <PasswordInput autoComplete="new-password" {...form.register('confirmation')} />
      </Field>
      <Checkbox
        label="I accept the terms and conditions"
        hint={
          <>
            They are those of whoever runs this server.{' '}
            <Link to="/about" target="_blank" className={linkClass}>
              About Milepost
            </Link>
          </>
        }
        checked={accepted}
        disabled={!isAlive}
        onChange={(event) => setAccepted(event.target.checked)}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        disabled={!isAlive || !accepted}
        busy={isSubmitting}
        busyLabel="Creating your account…"
      >
        Create Account
      </Button>
    </Entrance>
  )
}
