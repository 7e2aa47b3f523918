import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { z } from 'zod'
import { type Account, emailFields } from '#contract/account.ts'
import { ApiError } from '#web/api/api-error.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { ConfirmationEmail } from '#web/identity/emailed-links/confirmation-email.tsx'
import { useIssuerName } from '#web/identity/issuer-name.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { EmailInput, Field, PasswordInput } from '#web/ui/controls/field.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { useCancelEmailChange, useChangeEmail } from './sign-in-mutations.ts'

/** The email of the account, and the form that changes it. */
export function EmailAddress({ account }: { account: Account }) {
  const { email, emailVerified, emailChange } = account
  const isConfirmable = useServerOptions()?.identity.sendsMail ?? false
  // The form, and the button of a pending change, are removed after they succeed.
  return (
    <div tabIndex={-1} className="border-t border-line pt-5 outline-none">
      <h3 className="text-sm font-semibold">Email</h3>
      <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="min-w-0 break-words">{email}</span>
        {emailVerified && <Badge tone="success">Confirmed</Badge>}
        {isConfirmable && !emailVerified && <Badge tone="warning">Not confirmed</Badge>}
      </p>
      {isConfirmable && !emailVerified && <ConfirmationEmail />}
      {emailChange ? (
        <WaitingChange email={email} change={emailChange} />
      ) : (
        <Change account={account} isConfirmable={isConfirmable} />
      )}
    </div>
  )
}

type WaitingChangeProps = { email: string; change: NonNullable<Account['emailChange']> }

function WaitingChange({ email, change }: WaitingChangeProps) {
  const { mutate, isPending } = useCancelEmailChange()
  const addresses = change.unconfirmed.map((side) => (side === 'new' ? change.email : email))
  return (
    <Banner tone="info" className="mt-3">
      <p>
        Your address will be <b className="font-semibold wrap-anywhere">{change.email}</b>. Open the{' '}
        {addresses.length > 1 ? 'links that were sent to both addresses' : 'link that was sent to '}
        {addresses.length === 1 && <b className="font-semibold wrap-anywhere">{addresses[0]}</b>} to confirm
        it, within a day.
      </p>
      <Button size="sm" className="mt-2.5" busy={isPending} onClick={() => mutate(email)}>
        Cancel the change
      </Button>
    </Banner>
  )
}

type ChangeProps = { account: Account; isConfirmable: boolean }

/** The form, or an explanation why the email cannot be changed here. */
function Change({ account, isConfirmable }: ChangeProps) {
  const { typed: stored, type, end, discard } = useFormDraftState(formNames.newEmail(), z.string(), '')
  // The stored email may have been requested already: the response was lost, or another tab requested it.
  const typed = stored.toLowerCase() === account.email ? '' : stored
  const [isOpen, setOpen] = useState(typed !== '')
  const issuer = useIssuerName()
  const reason = reasonAgainst(account, isConfirmable, issuer)
  if (reason !== undefined) return <p className="mt-2 text-sm text-muted">{reason}</p>
  if (!isOpen)
    return (
      <Button size="sm" className="mt-3" onClick={() => setOpen(true)}>
        Change email
      </Button>
    )
  return (
    <ChangeForm
      email={account.email}
      typed={typed}
      onType={type}
      onSent={(sent) => end(sent, '')}
      onClose={() => {
        discard()
        setOpen(false)
      }}
    />
  )
}

function reasonAgainst({ password, isAdmin }: Account, isConfirmable: boolean, issuer: string): ReactNode {
  if (password === 'elsewhere')
    return 'This server signs people in with Firebase, which keeps your address. It cannot be changed here.'
  if (password === 'none' || password === 'off')
    return `You sign in with ${issuer}, which vouches for this address. It cannot be changed here.`
  if (isConfirmable) return undefined
  return (
    <>
      This server sends no email, so a new address cannot be confirmed.{' '}
      {isAdmin ? (
        <>
          As an administrator, you change it under <AdministrationLink />, in the row of your account.
        </>
      ) : (
        'Ask an administrator to change it.'
      )}
    </>
  )
}

/** A link to the administration. */
export const AdministrationLink = () => (
  <Link to="/admin" className="font-semibold text-accent underline underline-offset-4">
    Administration
  </Link>
)

type ChangeFormProps = {
  email: string
  typed: string
  onType: (typed: string) => void
  onSent: (sent: string) => void
  onClose: () => void
}

function ChangeForm({ email, typed, onType, onSent, onClose }: ChangeFormProps) {
  const { mutateAsync, isPending, isRunning } = useChangeEmail()
  const [failure, setFailure] = useState<string | null>(null)
  const { register, handleSubmit, setError, setFocus, formState } = useForm({
    resolver: zodResolver(emailFields),
    defaultValues: { email: typed, currentPassword: '' },
  })
  const { errors } = formState

  const [isRestored] = useState(typed !== '')
  useEffect(() => {
    if (!isRestored) setFocus('email') // the user has just opened the form
  }, [isRestored, setFocus])

  const send = handleSubmit(async (fields) => {
    if (isRunning()) return
    setFailure(null)
    try {
      await mutateAsync(fields)
      onSent(fields.email)
    } catch (error) {
      const { issues = [], message } = error instanceof ApiError ? error : { message: 'Please try again.' }
      const issue = issues.find(({ path }) => path === 'email' || path === 'currentPassword')
      if (issue)
        setError(issue.path as 'email' | 'currentPassword', { message: issue.message }, { shouldFocus: true })
      else setFailure(message)
    }
  })

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void send(event)}
      className="mt-4 flex flex-col items-start gap-4"
    >
      <Field label="New email" error={errors.email?.message} className="w-full">
        <EmailInput
          autoComplete="email"
          {...register('email', { onChange: ({ target }) => onType(target.value) })}
        />
      </Field>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Your password" error={errors.currentPassword?.message} className="w-full">
        <PasswordInput autoComplete="current-password" {...register('currentPassword')} />
      </Field>
      <p className="text-sm text-muted">
        We send a link to the new address and, if it is confirmed, one to the current address. The change
        takes effect once you have opened them, and signs you out everywhere else.
      </p>
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" busy={isPending}>
          Send the links
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      {failure && <Banner className="w-full">{failure}</Banner>}
    </form>
  )
}
