import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { email as emailSchema } from '#contract/email.ts'
import { GIGABYTE, sizeText } from '#contract/parts/sizes.ts'
import type { Person } from '#contract/people.ts'
import { ApiError } from '#web/api/api-error.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { EmailInput, Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'
import { useIsMounted } from '#web/ui/layout/use-is-mounted.ts'
import { nameOf, useChangePersonEmail, useUpdateQuota } from './mutations.ts'

type PersonDialogProps = { person: Person; onClose: () => void }

/** Changes the email of an account whose owner cannot change it. */
export function EmailDialog({ person, onClose }: PersonDialogProps) {
  const { mutateAsync, isPending } = useChangePersonEmail(person)
  const { typed, type, end, discard } = useFormDraftState(formNames.personEmail(person), z.string(), '')
  const { error, setError, save } = useSaving(onClose, 'Failed to change the address')

  function submit() {
    const parsed = emailSchema.safeParse(typed)
    if (!parsed.success) return setError(parsed.error.issues[0]?.message)
    return save(async () => {
      await mutateAsync(parsed.data)
      end(typed, '')
    })
  }

  return (
    <PersonDialog
      title={`A new address for ${nameOf(person)}`}
      verb="Change address"
      busy={isPending}
      onSubmit={submit}
      onClose={() => {
        discard()
        onClose()
      }}
    >
      <p className="text-muted">
        They sign in with it from now on, and are signed out everywhere. Make sure that it is theirs, because
        they do not have to confirm it.
      </p>
      <Field label="New email" hint={`Now: ${person.email}`} error={error}>
        <EmailInput
          autoComplete="off"
          value={typed}
          onChange={({ target }) => {
            setError(undefined)
            type(target.value)
          }}
        />
      </Field>
    </PersonDialog>
  )
}

const GIGABYTES_MAX = 1e6

/** Changes the quota of an account. */
export function QuotaDialog({ person, onClose }: PersonDialogProps) {
  const { mutateAsync, isPending } = useUpdateQuota(person)
  const { used, quota, usual } = person.storage
  const own = quota === usual ? '' : String(quota / GIGABYTE)
  const { typed, type, end, discard } = useFormDraftState(formNames.personQuota(person), z.string(), own)
  const { error, setError, save } = useSaving(onClose, 'Failed to change the storage limit')

  function submit() {
    const gigabytes = Number(typed.trim().replace(',', '.'))
    const isBlank = typed.trim() === ''
    if (!isBlank && !(gigabytes >= 0.001 && gigabytes <= GIGABYTES_MAX))
      return setError('Enter a number of gigabytes, such as 10 or 0.5')
    return save(async () => {
      await mutateAsync(isBlank ? null : Math.round(gigabytes * GIGABYTE))
      end(typed, typed)
    })
  }

  return (
    <PersonDialog
      title={`Storage limit of ${nameOf(person)}`}
      verb="Save limit"
      busy={isPending}
      onSubmit={submit}
      onClose={() => {
        discard()
        onClose()
      }}
    >
      <p className="text-muted">
        {sizeText(used)} of {sizeText(quota)} are used. A lower limit deletes nothing: it keeps more from
        being added.
      </p>
      <Field label="Limit in GB" hint={`Leave it empty for the usual ${sizeText(usual)}.`} error={error}>
        <TextInput
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => {
            setError(undefined)
            type(target.value)
          }}
        />
      </Field>
    </PersonDialog>
  )
}

/**
 * The state of a dialog that saves: closes after success, and holds the server's refusal, which a toast shows if the dialog was
 * closed in the meantime.
 */
function useSaving(onSaved: () => void, failureText: string) {
  const [error, setError] = useState<string>()
  const isOpen = useIsMounted()

  async function save(send: () => Promise<void>) {
    try {
      await send()
      // Otherwise it may be open again.
      if (isOpen()) onSaved()
    } catch (error) {
      if (!isOpen()) return toastError(error, failureText)
      setError(error instanceof ApiError ? error.message : 'This could not be saved. Please try again.')
    }
  }

  return { error, setError, save }
}

type FormProps = {
  title: string
  verb: string
  busy: boolean
  onSubmit: () => unknown
  onClose: () => void
  children: ReactNode
}

function PersonDialog({ title, verb, busy, onSubmit, onClose, children }: FormProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} sticky>
      <DialogForm busy={busy} onSubmit={onSubmit}>
        <DialogBody>{children}</DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {verb}
          </Button>
        </DialogFooter>
      </DialogForm>
    </Dialog>
  )
}
