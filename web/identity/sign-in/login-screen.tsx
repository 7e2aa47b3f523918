import { clsx } from 'clsx'
import { Link, useSearchParams } from 'react-router'
import { signInFields } from '#contract/identity.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { PasskeySignIn } from '#web/identity/passkeys/passkey-sign-in.tsx'
import { withRedirect } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { isComposerInterrupted } from '#web/saving/interrupted.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox, EmailField, Field, PasswordInput } from '#web/ui/controls/field.tsx'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'
import { AuthPageLayout, linkClass } from './auth-page-layout.tsx'
import { useKeepAccount } from './keep-account.tsx'
import { useSecondStep } from './second-step.ts'
import { sessionEnded, signInError } from './texts.ts'
import { useCredentials } from './use-credentials.ts'

/** The sign-in screen. The signed-out-only layout around it redirects signed-in users. */
export default function LoginScreen() {
  const { signIn, hasEnded } = useSession()
  const [search] = useSearchParams()
  const isAlive = useHydrated()
  const hasPasskeys = useServerOptions()?.identity.passkeys
  const { offerToKeep, dialog } = useKeepAccount()
  const orSecondStep = useSecondStep()
  const { form, error, setError, submit } = useCredentials({
    schema: signInFields,
    fields: ['email', 'password'],
    send: ({ email, password }) => orSecondStep(offerToKeep(() => signIn(email, password))),
    toFormError: signInError,
    fallback: 'Login failed',
  })
  const { errors, isSubmitting } = form.formState

  return (
    <AuthPageLayout
      screen="Sign In"
      title="Welcome back"
      lede="Sign in and pick up the trail where you left it."
      // A public page loads this one as another document, which does not know its session.
      notice={hasEnded || (isAlive && isComposerInterrupted()) ? sessionEnded : undefined}
      error={error}
      onError={setError}
      otherWay={hasPasskeys && <PasskeySignIn onError={setError} />}
      onSubmit={submit}
      alternative={
        <>
          New here?{' '}
          <Link to={withRedirect('/register', search)} className={linkClass}>
            Create an account
          </Link>
        </>
      }
    >
      {dialog}
      <EmailField
        autoComplete={hasPasskeys ? 'username webauthn' : 'username'}
        invalid={errors.email !== undefined}
        {...form.register('email')}
      />
      <Field label="Password">
        <PasswordInput
          autoComplete="current-password"
          aria-invalid={errors.password ? true : undefined}
          {...form.register('password')}
        />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <Checkbox label="Remember me" />
        <Link
          to={withRedirect('/forgot-password', search)}
          className={clsx(linkClass, 'pointer-coarse:py-2.5')}
        >
          Forgot password?
        </Link>
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
