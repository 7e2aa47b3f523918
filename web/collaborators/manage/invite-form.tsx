import { zodResolver } from '@hookform/resolvers/zod'
import { Send } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { type InviteFields, inviteFields } from '#contract/collaborators.ts'
import { addressesIn, EMAIL_MAX, LIST_MAX } from '#contract/email.ts'
import { collaboratorRole } from '#contract/permissions.ts'
import { roleChoices } from '#web/collaborators/roles.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { useFormDraft } from '#web/forms/use-form-draft.ts'
import { useSession } from '#web/identity/session.tsx'
import { readDraft, removeDraft, storeDraft } from '#web/saving/drafts.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { EmailInput, Field, Select } from '#web/ui/controls/field.tsx'
import { useInvite, useInviting, useIsInviting, useOnInvited } from './mutations.ts'

const typedFields = z.object({ email: z.string(), role: collaboratorRole })
const blank: z.infer<typeof typedFields> = { email: '', role: 'viewer' }

/** Whether the typed fields invite this email. */
const isTo = (email: string, typed: z.input<typeof inviteFields>) =>
  inviteFields.safeParse(typed).data?.email === email

type InviteFormProps = {
  projectId: string
  /** Set when the person closes the dialog. */
  isClosed: RefObject<boolean>
}

/** What is typed of an invitation, and sending it. A draft survives closing the dialog until it is sent. */
function useInviteForm({ projectId, isClosed }: InviteFormProps) {
  const { mutateAsync, isPending } = useInvite(projectId)
  const inviting = useInviting(projectId)
  const isInviting = useIsInviting(projectId)
  const { user } = useSession()
  const [draftKey] = useState({ form: formNames.invitation(projectId), personId: user?._id })
  const [start] = useState(() => readDraft(draftKey, typedFields)?.fields ?? blank)
  const form = useForm({ resolver: zodResolver(inviteFields), defaultValues: start })
  useFormDraft({
    form,
    draftKey,
    isDirty: () => form.getValues('email') !== '',
    wasClosed: () => isClosed.current,
    store: () => storeDraft(draftKey, { fields: form.getValues() }),
  })
  const email = useWatch({ control: form.control, name: 'email' })
  // The call may also have been sent by a form that was closed since.
  const isSending = isPending || inviting.some((sent) => isTo(sent, { email, role: 'viewer' }))

  // Also if the form that sent it was closed, and this one was opened with its draft.
  useOnInvited(projectId, (email) => {
    // keepFieldsRef lets setFocus find the field.
    if (isTo(email, form.getValues())) form.reset(blank, { keepFieldsRef: true })
  })

  function finish({ email }: InviteFields) {
    const stored = readDraft(draftKey, typedFields)?.fields
    if (stored && isTo(email, stored)) removeDraft(draftKey)
    form.setFocus('email')
  }

  const listed = addressesIn(email)

  /** Sends one invitation after the other. Addresses that were refused, with a toast each, stay in the field. */
  async function inviteAll(emails: string[], { role }: Pick<InviteFields, 'role'>) {
    const refused: string[] = []
    for (const [at, one] of emails.entries()) {
      if (isClosed.current) return
      const sending = isInviting(one) ? Promise.resolve() : mutateAsync({ email: one, role })
      await sending.catch(() => refused.push(one))
      form.setValue('email', [...refused, ...emails.slice(at + 1)].join(', '))
    }
    form.setFocus('email')
  }

  // mutateAsync, because callbacks of mutate do not run once the dialog is closed. A toast has reported a failure.
  const inviteOne = form.handleSubmit(async (fields) => {
    if (isInviting(fields.email)) return
    await mutateAsync(fields).then(
      () => finish(fields),
      () => undefined,
    )
  })

  return {
    form,
    email,
    /** The addresses, if several were typed. */
    listed,
    isSending,
    submit: () => (listed ? inviteAll(listed, typedFields.parse(form.getValues())) : inviteOne()),
  }
}

/** The form that invites by email. */
export function InviteForm(props: InviteFormProps) {
  const { form, email, listed, isSending, submit } = useInviteForm(props)
  const { errors } = form.formState
  return (
    <form
      noValidate
      aria-label="Invite a collaborator"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) void submit()
      }}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2.5 gap-y-4 sm:grid-cols-[minmax(0,1fr)_9rem_auto]"
    >
      <Field
        label="Email"
        className="max-sm:col-span-2"
        {...(listed && { hint: `${listed.length} addresses: each is sent an invitation of its own.` })}
        {...(!listed && errors.email?.message && { error: errors.email.message })}
      >
        <EmailInput
          required
          maxLength={LIST_MAX * EMAIL_MAX}
          autoComplete="off"
          placeholder="name@example.com"
          {...form.register('email')}
        />
      </Field>
      <Field label="Role">
        <Select options={roleChoices} {...form.register('role')} />
      </Field>
      <Button
        type="submit"
        variant="primary"
        icon={<Send />}
        disabled={email.trim() === ''}
        busy={isSending}
        className="mt-6.5"
      >
        Send Invitation
      </Button>
    </form>
  )
}
