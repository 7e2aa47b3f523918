import { Link, useSearchParams } from 'react-router'
import { signInFields } from '#contract/identity.ts'
import type { CachedParams } from '#contract/rendering.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useSession } from '#web/identity/session.tsx'
import { sessionEnded, signInRefusal } from '#web/identity/texts.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox, Field, PasswordInput, TextInput } from '#web/ui/controls/field.tsx'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'
import { AuthPageLayout, linkClass, withRedirect } from './auth-page-layout.tsx'
import { useCredentials } from './use-credentials.ts'

export const cachedParams: CachedParams = { redirect: 'uncached' }

/** The sign-in screen. The signed-out-only layout around it redirects signed-in users. */
export default function LoginScreen() {
  const { signIn, hasEnded } = useSession()
  const [search] = useSearchParams()
  const isAlive = useHydrated()
  const { form, error, setError, submit } = useCredentials({
    schema: signInFields,
    fields: ['email', 'password'],
    send: ({ email, password }) => signIn(email, password),
    refusalOf: signInRefusal,
    fallback: 'Login failed',
  })
  const { errors, isSubmitting } = form.formState

  return (
    <AuthPageLayout
      title="Welcome back"
      lede="Sign in and pick up the trail where you left it."
      notice={hasEnded ? sessionEnded : undefined}
      error={error}
      onError={setError}
      onSubmit={(event) => void submit(event)}
      alternative={
        <>
          New here?{' '}
          <Link to={withRedirect('/register', search)} className={linkClass}>
            Create an account
          </Link>
        </>
      }
    >
      <ScreenTitle>Sign In</ScreenTitle>
      <Field label="Email">
        <TextInput
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={errors.email ? true : undefined}
          {...form.register('email')}
        />
      </Field>
      <Field label="Password">
        <PasswordInput
          autoComplete="current-password"
          aria-invalid={errors.password ? true : undefined}
          {...form.register('password')}
        />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <Checkbox label="Remember me" />
        <a href="#forgot-password" className={linkClass} onClick={(event) => event.preventDefault()}>
          Forgot password?
        </a>
      </div>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        disabled={!isAlive}
        className="disabled:opacity-100!"
        busy={isSubmitting}
        busyLabel="Signing in…"
      >
        Sign in
      </Button>
    </AuthPageLayout>
  )
}
