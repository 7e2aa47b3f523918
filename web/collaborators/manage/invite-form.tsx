import { zodResolver } from '@hookform/resolvers/zod'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { inviteFields } from '#contract/collaborators.ts'
import { EMAIL_MAX } from '#contract/identity.ts'
import { collaboratorRole } from '#contract/permissions.ts'
import { useInvite } from '#web/collaborators/mutations.ts'
import { roleChoices } from '#web/collaborators/roles.tsx'
import { readDraft, removeDraft, storeDraft, useDraft } from '#web/forms/drafts.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, Select, TextInput } from '#web/ui/controls/field.tsx'

const typedFields = z.object({ email: z.string(), role: collaboratorRole })
const blank: z.infer<typeof typedFields> = { email: '', role: 'viewer' }

/** The form that invites by email. A draft survives closing the dialog until it is sent. */
export function InviteForm({ projectId }: { projectId: string }) {
  const { mutateAsync, isPending } = useInvite(projectId)
  const { user } = useSession()
  const [draftKey] = useState({ form: formNames.invitation(projectId), personId: user?._id })
  const [start] = useState(() => readDraft(draftKey, typedFields) ?? blank)
  const form = useForm({ resolver: zodResolver(inviteFields), defaultValues: start })
  useDraft({
    form,
    draftKey,
    isDirty: () => form.getValues('email') !== '',
    store: () => storeDraft(draftKey, form.getValues()),
    remove: () => removeDraft(draftKey),
  })
  const { errors } = form.formState
  const isEmpty = useWatch({ control: form.control, name: 'email' }).trim() === ''

  function startAgain() {
    removeDraft(draftKey)
    // keepFieldsRef lets setFocus find the field.
    form.reset(blank, { keepFieldsRef: true })
    form.setFocus('email')
  }

  // mutateAsync, because callbacks of mutate do not run once the dialog is closed. A toast has reported a failure.
  const submit = form.handleSubmit((fields) => mutateAsync(fields).then(startAgain, () => undefined))

  return (
    <form
      noValidate
      aria-label="Invite a collaborator"
      onSubmit={(event) => void (isPending ? event.preventDefault() : submit(event))}
      className="grid items-start gap-x-2.5 gap-y-4 sm:grid-cols-[minmax(0,1fr)_9rem_auto]"
    >
      <Field label="Email" {...(errors.email?.message && { error: errors.email.message })}>
        <TextInput
          type="email"
          required
          maxLength={EMAIL_MAX}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
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
        disabled={isEmpty}
        busy={isPending}
        className="sm:mt-6.5"
      >
        Send Invitation
      </Button>
    </form>
  )
}
