import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { type Account, passwordFields } from '#contract/account.ts'
import { isCommonPassword } from '#contract/common-passwords.ts'
import { signInTexts } from '#contract/sign-in.ts'
import { ApiError, isUncertain } from '#web/api/api-error.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { useIssuerName } from '#web/identity/issuer-name.ts'
import { NewPasswordField } from '#web/identity/sign-in/new-password-field.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, PasswordInput } from '#web/ui/controls/field.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { AdministrationLink } from './email-address.tsx'
import { useChangePassword } from './sign-in-mutations.ts'

/** Changes the password, or explains where to change it. */
export function PasswordForm({ account: { password, email, isAdmin } }: { account: Account }) {
  const issuer = useIssuerName()
  if (password === 'elsewhere')
    return (
      <p className="text-muted">
        This server signs people in with Firebase, which keeps your password. It cannot be changed here.
      </p>
    )
  if (password === 'off')
    return <p className="text-muted">This server has no passwords: you sign in with {issuer}.</p>
  if (password === 'none')
    return <p className="text-muted">Your account has no password: you sign in with {issuer}.</p>
  return (
    <>
      <ChangePassword email={email} />
      <ForgottenPassword isAdmin={isAdmin === true} />
    </>
  )
}

/** Explains how to replace a forgotten password if the server cannot email a link. */
function ForgottenPassword({ isAdmin }: { isAdmin: boolean }) {
  const sendsMail = useServerOptions()?.identity.sendsMail ?? true
  if (sendsMail) return null
  return (
    <p className="mt-4 text-sm text-muted">
      Forgot the current one?{' '}
      {isAdmin ? (
        <>
          As an administrator, you create a link for a new one under <AdministrationLink />, in the row of
          your account. If you are signed out, run <code>npm run reset-password -- EMAIL</code> on the server.
        </>
      ) : (
        'Ask an administrator for a link to choose a new one.'
      )}
    </p>
  )
}

const schema = passwordFields.refine(({ newPassword }) => !isCommonPassword(newPassword), {
  path: ['newPassword'],
  message: signInTexts.commonPassword,
})
type Typed = z.input<typeof schema>

const maybeChanged = 'The new one may be saved already: try that here.'
const blank: Typed = { currentPassword: '', newPassword: '' }

function ChangePassword({ email }: { email: string }) {
  const { mutateAsync, isPending, isRunning } = useChangePassword()
  /** Whether the response to an attempt was lost, so that the password may have been changed. */
  const [isMaybeChanged, setMaybeChanged] = useState(false)
  const [outcome, setOutcome] = useState<{ tone: 'info' | 'danger'; text: string } | null>(null)
  const { register, handleSubmit, reset, setError, control, formState } = useForm<Typed>({
    resolver: zodResolver(schema),
    defaultValues: blank,
  })
  const { errors } = formState
  const newPassword = useWatch({ control, name: 'newPassword' })

  function refuse(error: unknown) {
    const { issues = [], message } = error instanceof ApiError ? error : { message: 'Please try again.' }
    const issue = issues.find(({ path }) => path in blank)
    if (isUncertain(error)) setMaybeChanged(true)
    if (issue?.path === 'currentPassword' && isMaybeChanged)
      setError('currentPassword', { message: `${issue.message}. ${maybeChanged}` }, { shouldFocus: true })
    else if (issue) setError(issue.path as keyof Typed, { message: issue.message }, { shouldFocus: true })
    else setOutcome({ tone: 'danger', text: message })
  }

  const change = handleSubmit(async (typed) => {
    if (isRunning()) return
    setOutcome(null)
    try {
      await mutateAsync(typed)
    } catch (error) {
      return refuse(error)
    }
    reset(blank)
    setOutcome({ tone: 'info', text: 'Your password is changed. You are signed out everywhere else.' })
  })

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void change(event)}
      className="flex flex-col items-start gap-5"
    >
      {/* For password managers, which need the account of the password. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Current password" error={errors.currentPassword?.message} className="w-full">
        <PasswordInput autoComplete="current-password" {...register('currentPassword')} />
      </Field>
      <NewPasswordField
        label="New password"
        hint="At least 6 characters."
        error={errors.newPassword?.message}
        password={newPassword}
        {...register('newPassword')}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" busy={isPending}>
          Change password
        </Button>
        <p className="text-sm text-muted">
          This signs you out everywhere else, and revokes your access tokens.
        </p>
      </div>
      {outcome && (
        <Banner tone={outcome.tone} className="w-full">
          {outcome.text}
        </Banner>
      )}
    </form>
  )
}
