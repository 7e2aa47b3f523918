import { Link, useSearchParams } from 'react-router'
import { signInFields } from '#contract/identity.ts'
import type { CachedParams } from '#contract/rendering.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useSession } from '#web/identity/session.tsx'
import { sessionEnded, signInRefusal } from '#web/identity/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { PasswordInput, TextInput } from '#web/ui/text-input.tsx'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import { Entrance, keepingRedirect, linkClass } from './auth-page-layout.tsx'
import { useCredentials } from './use-credentials.ts'

export const cachedParams: CachedParams = { redirect: 'uncached' }

/** Where people sign in. Whoever has, is led on by the signed-out-only layout around this screen. */
export default function LoginScreen() {
  const { signIn, hasEnded } = useSession()
  const [search] = useSearchParams()
  const isAlive = useHydrated()
  const { form, fault, setFault, submit } = useCredentials({
    schema: signInFields,
    told: ['email', 'password'],
    send: ({ email, password }) => signIn(email, password),
    refusalOf: signInRefusal,
    otherwise: 'Login failed',
  })
  const { errors, isSubmitting } = form.formState

  return (
    <Entrance
      title="Welcome back"
      lede="Sign in and pick up the trail where you left it."
      notice={hasEnded ? sessionEnded : undefined}
      fault={fault}
      onFault={setFault}
      onSubmit={(event) => void submit(event)}
      otherwise={
        <>
          New here?{' '}
          <Link to={keepingRedirect('/register', search)} className={linkClass}>
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
    </Entrance>
  )
}
