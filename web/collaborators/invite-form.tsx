import { zodResolver } from '@hookform/resolvers/zod'
import { Send } from 'lucide-react'
import { useForm, useWatch } from 'react-hook-form'
import { inviteFields } from '#contract/collaborators.ts'
import { EMAIL_MAX } from '#contract/identity.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useInvite } from './mutations.ts'
import { roleChoices } from './roles.ts'

const blank = { email: '', role: 'viewer' } as const

/** Invites one address after the other. What was typed stays until it was sent. */
export function InviteForm({ projectId }: { projectId: string }) {
  const { mutate, isPending } = useInvite(projectId)
  const form = useForm({ resolver: zodResolver(inviteFields), defaultValues: blank })
  const { errors } = form.formState
  const isEmpty = useWatch({ control: form.control, name: 'email' }).trim() === ''

  const submit = form.handleSubmit((fields) => {
    mutate(fields, {
      onSuccess() {
        // Its fields stay, so that the focus finds one.
        form.reset(blank, { keepFieldsRef: true })
        form.setFocus('email')
      },
    })
  })

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
