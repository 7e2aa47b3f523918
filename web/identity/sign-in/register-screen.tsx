import { type KeyboardEvent, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { CachedParams } from '#contract/rendering.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useSession } from '#web/identity/session.tsx'
import { signUpRefusal } from '#web/identity/texts.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox, Field, PasswordInput, TextInput } from '#web/ui/controls/field.tsx'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'
import { AuthPageLayout, linkClass, withRedirect } from './auth-page-layout.tsx'
import { MISMATCH, registration, StrengthMeter } from './registration.tsx'
import { useCredentials } from './use-credentials.ts'

const UNACCEPTED = 'Please accept the terms and conditions'

export const cachedParams: CachedParams = { redirect: 'uncached' }

/** The registration screen. The signed-out-only layout around it redirects signed-in users. */
export default function RegisterScreen() {
  const { signUp } = useSession()
  const [search] = useSearchParams()
  const isAlive = useHydrated()
  const [accepted, setAccepted] = useState(false)
  const { form, error, setError, submit } = useCredentials({
    schema: registration,
    fields: ['name', 'email', 'confirmation', 'password'],
    send: ({ name, email, password }) => signUp(name, email, password),
    refusalOf: signUpRefusal,
    fallback: 'Registration failed',
  })
  const { errors, isSubmitted, isSubmitting } = form.formState
  const password = form.watch('password', '')
  const confirmation = form.watch('confirmation', '')
  // Shown while typing, not on blur: the message would move the button away from the click that caused the blur.
  const isMismatch = isSubmitted ? password !== confirmation : !password.startsWith(confirmation)

  /** Enter cannot submit while the button is disabled, so the banner explains why. */
  function explainTerms({ key, target }: KeyboardEvent) {
    if (key === 'Enter' && !accepted && target instanceof HTMLInputElement) setError(UNACCEPTED)
  }

  return (
    <AuthPageLayout
      title="Create your account"
      lede="A name, an address, a password, and you are on your way."
      error={error}
      onError={setError}
      onSubmit={(event) => void submit(event)}
      onKeyDown={explainTerms}
      alternative={
        <>
          Been here before?{' '}
          <Link to={withRedirect('/login', search)} className={linkClass}>
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
      <Field label="Confirm Password" {...(isMismatch && { error: MISMATCH })}>
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
    </AuthPageLayout>
  )
}
