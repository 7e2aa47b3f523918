import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { email as emailSchema } from '#contract/email.ts'
import type { ServerInvitation } from '#contract/people.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { useRefusedFocus } from '#web/ui/controls/refused-focus.ts'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { useInviteToServer, useWithdrawInvitation } from './mutations.ts'
import { invitationsQuery } from './queries.ts'

/** Invites people to create an account, and lists the pending invitations. */
export function Invitations({ isClosed, sendsMail }: { isClosed: boolean; sendsMail: boolean }) {
  return (
    <>
      {isClosed ? (
        <p className="text-muted">
          Registration is closed, so an invitation would lead nowhere. Choose “By invitation” below to invite
          people.
        </p>
      ) : (
        <InviteForm sendsMail={sendsMail} />
      )}
      <OpenInvitations />
    </>
  )
}

function InviteForm({ sendsMail }: { sendsMail: boolean }) {
  const { mutateAsync, isPending } = useInviteToServer(sendsMail)
  const { typed: email, type, end } = useFormDraftState(formNames.serverInvitation(), z.string(), '')
  const [error, setError] = useState<string>()
  const { form, focusOnceRendered } = useRefusedFocus()

  // mutateAsync, because callbacks of mutate do not run once the screen is left. A toast has reported a failure.
  function invite() {
    const parsed = emailSchema.safeParse(email)
    if (!parsed.success) return setError(parsed.error.issues[0]?.message)
    mutateAsync(parsed.data).then(
      () => end(email, ''),
      () => undefined,
    )
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="flex flex-wrap items-start gap-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) invite()
        focusOnceRendered()
      }}
    >
      <Field
        label="Email"
        hint={
          sendsMail
            ? 'They get an email with a link to create an account. It works for seven days.'
            : 'This server sends no email: copy the link below and pass it on. It works for seven days.'
        }
        {...(error !== undefined && { error })}
        className="min-w-[min(14rem,100%)] flex-1"
      >
        <TextInput
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          onChange={({ target }) => {
            type(target.value)
            setError(undefined)
          }}
        />
      </Field>
      <Button type="submit" className="max-sm:w-full sm:mt-6.5" busy={isPending}>
        Invite
      </Button>
    </form>
  )
}

function OpenInvitations() {
  const query = useQuery({ ...invitationsQuery, refetchOnMount: 'always' })
  const { data, isError, isFetching, refetch } = query
  if (!data && isError)
    return (
      <FetchFailed
        title="The invitations could not be fetched"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  return (
    <>
      <Outdated of={[query]} className="mt-5" />
      {data && data.length > 0 && (
        <ul
          tabIndex={-1}
          aria-label="Open invitations"
          className="mt-5 -mb-2 divide-y divide-line border-t border-line outline-none"
        >
          {data.map((invitation) => (
            <InvitationRow key={invitation._id} invitation={invitation} />
          ))}
        </ul>
      )}
    </>
  )
}

const linkOf = (token: string) =>
  `${window.location.origin}/register?${new URLSearchParams({ invitation: token })}`

function InvitationRow({ invitation }: { invitation: ServerInvitation }) {
  const withdraw = useWithdrawInvitation(invitation)
  const { email, token, expiresAt, undelivered } = invitation
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3.5">
      <div className="min-w-[min(12rem,100%)] flex-1">
        <p className="truncate font-medium">
          <bdi>{email}</bdi>
        </p>
        <p className="text-sm text-muted">
          Expires <Time iso={expiresAt} />
        </p>
        {undelivered && (
          <p className="text-sm text-danger">
            The email could not be delivered: the mail server refused the address. Copy the link and send it
            another way, or withdraw this and invite the right address.
          </p>
        )}
      </div>
      <div className="flex max-w-full flex-wrap gap-2">
        {token !== null && <CopyButton text={linkOf(token)} label="Copy link" />}
        <Button
          size="sm"
          variant="quiet"
          aria-label={`Withdraw the invitation of ${email}`}
          busy={withdraw.isPending}
          onClick={() => withdraw.mutate()}
        >
          Withdraw
        </Button>
      </div>
    </li>
  )
}
