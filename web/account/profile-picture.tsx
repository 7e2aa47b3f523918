import { ImagePlus, Trash2 } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import type { Account } from '#contract/account.ts'
import { ApiError } from '#web/api/api-error.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Problem } from '#web/ui/controls/field.tsx'
import { Avatar } from '#web/ui/layout/avatar.tsx'
import { useRemovePicture, useUpdatePicture } from './mutations.ts'

/** Chooses, changes or removes the picture that others see beside the name. It is saved at once. */
export function ProfilePicture({ account }: { account: Account }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const update = useUpdatePicture()
  const remove = useRemovePicture()
  const { name, email, photoURL } = account
  const hasPicture = photoURL?.startsWith('/') ?? false

  function send({ target }: ChangeEvent<HTMLInputElement>) {
    const [picture] = target.files ?? []
    target.value = '' // the same picture can be chosen again
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
