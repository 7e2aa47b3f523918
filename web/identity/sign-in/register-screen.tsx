import { UserRoundCheck } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { IdentityOptions } from '#contract/identity.ts'
import { ApiError } from '#web/api/api-error.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { invitationIn, withRedirect } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { signUpError } from '#web/identity/sign-in/texts.ts'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { Checkbox, EmailField, Field, PasswordInput } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { StageHeading } from '#web/ui/layout/page.tsx'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'
import { AuthPageLayout, linkClass } from './auth-page-layout.tsx'
import { NarrowPageLayout } from './narrow-page-layout.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { comparedPassword, PASSWORDS_DIFFER, registration } from './registration.ts'
import { useCredentials } from './use-credentials.ts'

const UNACCEPTED = 'Please accept the terms and conditions'

/**
 * The registration screen, or an explanation why registration is not available. The signed-out-only layout around it
 * redirects signed-in users.
 */
export default function RegisterScreen() {
  const [search] = useSearchParams()
  const mode = useServerOptions()?.identity.registration ?? 'open'
  const [waiting, setWaiting] = useState<string | null>(null)
  const isInvited = invitationIn(search) !== undefined
  if (waiting !== null)
    return (
      <NoForm title="Your account is created" search={search}>
        {waiting}
      </NoForm>
    )
  if ((mode === 'closed' || mode === 'invitation') && !isInvited)
    return (
      <NoForm title="Create your account" search={search}>
        {mode === 'closed'
          ? 'This server takes no new accounts. People who are invited to a project here can still register through the link of the invitation.'
          : 'New accounts on this server need an invitation. If you have one, open the link that was sent to you.'}
      </NoForm>
    )
  return <RegistrationForm isInvited={isInvited} onWaiting={setWaiting} />
}

type NoFormProps = { title: string; search: URLSearchParams; children: ReactNode }

/** The message instead of the form: who may register, or that an account waits for approval. */
function NoForm({ title, search, children }: NoFormProps) {
  return (
    <NarrowPageLayout isSteady>
      <ScreenTitle>Create Account</ScreenTitle>
      <UserRoundCheck className="mb-5 size-9 text-accent" aria-hidden="true" />
      <StageHeading large stage={title}>
        {title}
      </StageHeading>
      <p className="mt-2 text-muted">{children}</p>
      <div className="mt-6 flex flex-wrap gap-2.5">
        <LinkButton to={withRedirect('/login', search)}>Sign in</LinkButton>
        <LinkButton to="/" variant="quiet">
          Back to Home
        </LinkButton>
      </div>
    </NarrowPageLayout>
  )
}

/** The notice above the form; nothing if everybody may register. */
function noticeOf(isInvited: boolean, options: IdentityOptions | undefined): string | undefined {
  if (isInvited)
    return options && options.registration !== 'open'
      ? 'You are invited. Use the email address that the invitation was made for.'
      : undefined
  const { registration, emailDomains = [] } = options ?? {}
  const sentences = [
    ...(emailDomains.length > 0
      ? [`New accounts on this server need an email address of ${listed.format(emailDomains)}.`]
      : []),
    ...(registration === 'approval'
      ? ['An administrator of this server approves each new account before it can be used.']
      : []),
  ]
  return sentences.length > 0 ? sentences.join(' ') : undefined
}

const listed = new Intl.ListFormat('en', { type: 'disjunction' })

type RegistrationFormProps = { isInvited: boolean; onWaiting: (message: string) => void }

function RegistrationForm({ isInvited, onWaiting }: RegistrationFormProps) {
  const options = useServerOptions()?.identity
  const [search] = useSearchParams()
  const isAlive = useHydrated()
  const [accepted, setAccepted] = useState(false)
  const { form, error, setError, submit, isMismatch } = useRegistration(onWaiting)
  const { errors, isSubmitting } = form.formState

  /** Enter cannot submit while the button is disabled, so the banner explains why. */
  function explainTerms({ key, target }: KeyboardEvent) {
    if (key === 'Enter' && !accepted && target instanceof HTMLInputElement) setError(UNACCEPTED)
  }

  return (
    <AuthPageLayout
      screen="Create Account"
      title="Create your account"
      lede={
        options?.issuerOnly
          ? 'One press, and you are on your way.'
          : 'A name, an address, a password, and you are on your way.'
      }
      notice={noticeOf(isInvited, options)}
      error={error}
      onError={setError}
      onSubmit={submit}
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
      <Field label="Full Name">
        <TextInput
          autoComplete="name"
          aria-invalid={errors.name ? true : undefined}
          {...form.register('name')}
        />
      </Field>
      <EmailField autoComplete="email" invalid={errors.email !== undefined} {...form.register('email')} />
      <NewPasswordField
        label="Password"
        password={form.watch('password', '')}
        invalid={errors.password !== undefined}
        {...form.register('password')}
      />
      <Field label="Confirm Password" {...(isMismatch && { error: PASSWORDS_DIFFER })}>
        <PasswordInput autoComplete="new-password" {...form.register('confirmation')} />
      </Field>
      <Checkbox
        label="I accept the terms and conditions"
        hint={<TermsHint />}
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

/** What is typed to register. `isMismatch`: whether the two passwords differ. */
function useRegistration(onWaiting: RegistrationFormProps['onWaiting']) {
  const { signUp } = useSession()
  const credentials = useCredentials({
    schema: registration,
    fields: ['name', 'email', 'confirmation', 'password'],
    async send({ name, email, password }) {
      try {
        await signUp(name, email, password)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'account_awaiting')) throw error
        onWaiting(error.message)
      }
    },
    toFormError: signUpError,
    fallback: 'Registration failed',
  })
  const { form } = credentials
  // Shown while typing, not on blur: the message would move the button away from the click that caused the blur.
  const first = comparedPassword(form.watch('password', ''))
  const second = comparedPassword(form.watch('confirmation', ''))
  const isMismatch = form.formState.isSubmitted ? first !== second : !first.startsWith(second)
  return { ...credentials, isMismatch }
}

/** Links to the operator's terms, or names whose terms they are. */
function TermsHint() {
  const termsUrl = useServerOptions()?.identity.termsUrl
  if (termsUrl)
    return (
      <a href={termsUrl} target="_blank" rel="noreferrer" className={linkClass}>
        Read the terms and conditions
      </a>
    )
  return (
    <>
      Those of this server’s operator.{' '}
      <Link to="/about" target="_blank" className={linkClass}>
        About Milepost
      </Link>
    </>
  )
}
