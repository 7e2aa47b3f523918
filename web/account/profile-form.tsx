import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { type Account, accountFields } from '#contract/account.ts'
import { formNames, readDraft, removeDraft, storeDraft } from '#web/forms/drafts.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { EmailAddress } from './email-address.tsx'
import { useRename } from './mutations.ts'
import { ProfilePicture } from './profile-picture.tsx'

/** The name of the user, of which a draft is kept until it is saved, and the email address that they sign in with. */
export function ProfileForm({ account }: { account: Account }) {
  const { mutateAsync, isPending } = useRename()
  const { user } = useSession()
  const [draftKey] = useState({ form: formNames.profile(), personId: user?._id })
  const { register, handleSubmit, reset, setValue, getValues, formState } = useForm({
    resolver: zodResolver(accountFields),
    values: { name: account.name },
    resetOptions: { keepDirtyValues: true },
  })

  useEffect(() => {
    const typed = readDraft(draftKey, z.string())
    if (typed !== null) setValue('name', typed, { shouldDirty: true })
  }, [draftKey, setValue])

  function keep(typed: string) {
    if (typed === account.name) removeDraft(draftKey)
    else storeDraft(draftKey, typed)
  }

  const save = handleSubmit(async ({ name }) => {
    const saved = await mutateAsync(name).catch(() => null) // a toast has said why
    if (!saved) return
    // What has been typed meanwhile stays, to be saved next.
    if (accountFields.safeParse(getValues()).data?.name !== name) return
    removeDraft(draftKey)
    reset({ name: saved.name })
  })
  return (
    <div className="flex flex-col gap-6">
      <ProfilePicture account={account} />
      <form noValidate onSubmit={(event) => void save(event)} className="flex flex-col items-start gap-4">
        <Field
          label="Name"
          hint="Everybody who reads what you publish sees it."
          error={formState.errors.name?.message}
          className="w-full"
        >
          <TextInput
            autoComplete="name"
            {...register('name', { onChange: ({ target }) => keep(target.value) })}
          />
        </Field>
        <Button type="submit" disabled={!formState.isDirty} busy={isPending}>
          Save name
        </Button>
      </form>
      <EmailAddress account={account} />
    </div>
  )
}
