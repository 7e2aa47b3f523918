import { zodResolver } from '@hookform/resolvers/zod'
import { ImagePlus, Trash2 } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { type Account, accountFields } from '#contract/account.ts'
import { ApiError } from '#web/api/api-error.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, Problem } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Avatar } from '#web/ui/layout/avatar.tsx'
import { EmailAddress } from './email-address.tsx'
import { useRemovePicture, useRename, useUpdatePicture } from './mutations.ts'

/** The name of the user, stored as a draft until it is saved, and the email with which they sign in. */
export function ProfileForm({ account }: { account: Account }) {
  const { mutateAsync, isPending, isRunning } = useRename()
  const { typed, type, end } = useFormDraftState(formNames.profile(), z.string(), account.name)
  const [restored] = useState(typed)
  const { register, handleSubmit, reset, setValue, getValues, formState } = useForm({
    resolver: zodResolver(accountFields),
    values: { name: account.name },
    resetOptions: { keepDirtyValues: true },
  })

  useEffect(() => setValue('name', restored, { shouldDirty: true }), [restored, setValue])

  const save = handleSubmit(async ({ name }) => {
    if (isRunning()) return
    const sent = getValues('name')
    const saved = await mutateAsync(name).catch(() => null) // a toast has shown the reason
    if (!saved) return
    // Text typed in the meantime, here or in another tab, stays to be saved next.
    end(sent, saved.name)
    if (getValues('name') === sent) reset({ name: saved.name })
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
            {...register('name', { onChange: ({ target }) => type(target.value) })}
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

/** Chooses, changes or removes the picture beside the user's name. Changes are saved immediately. */
function ProfilePicture({ account }: { account: Account }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const update = useUpdatePicture()
  const remove = useRemovePicture()
  const { name, email, photoURL } = account
  const hasPicture = photoURL?.startsWith('/') ?? false

  function send({ target }: ChangeEvent<HTMLInputElement>) {
    const [picture] = target.files ?? []
    target.value = '' // so that the same picture can be chosen again
    if (picture) update.mutate(picture)
  }

  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-x-5 gap-y-3">
      <legend className="mb-1.5 text-sm font-semibold">Picture</legend>
      <Avatar name={name || email} pictureURL={photoURL} className="size-16 text-2xl" />
      <div className="min-w-0 flex-1 basis-52">
        <div className="flex flex-wrap items-center gap-2">
          <input ref={input} type="file" accept="image/jpeg,image/png,image/webp" hidden onChange={send} />
          <Button
            ref={choose}
            size="sm"
            icon={<ImagePlus />}
            busy={update.isPending}
            onClick={() => input.current?.click()}
          >
            {hasPicture ? 'Change picture' : 'Choose picture'}
          </Button>
          {hasPicture && (
            <Button
              size="sm"
              variant="quiet"
              icon={<Trash2 />}
              busy={remove.isPending}
              onClick={() => {
                update.reset()
                remove.mutate(undefined, { onSuccess: () => choose.current?.focus() })
              }}
            >
              Remove picture
            </Button>
          )}
        </div>
        <p className="mt-1.5 text-sm text-muted">
          JPEG, PNG or WebP, cut to a square. It is shown beside your name.
        </p>
        <Problem text={update.error && problemOf(update.error)} />
      </div>
    </fieldset>
  )
}

const problemOf = (error: Error) =>
  error instanceof ApiError ? error.message : 'The picture could not be saved. Please try again.'
