import { useState } from 'react'
import { z } from 'zod'
import { PASSKEY_NAME_MAX, type Passkey, passkeyCalls } from '#contract/passkeys.ts'
import { ApiError } from '#web/api/api-error.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { RestoredBanner } from '#web/forms/banners.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'
import { useIsMounted } from '#web/ui/layout/use-is-mounted.ts'
import { useRenamePasskey } from './queries.ts'

type Props = { passkey: Passkey; onClose: () => void }

const nameField = passkeyCalls.renamePasskey.body.shape.name

/** Renames a passkey. The typed name is stored as a draft until it is saved. */
export function RenameDialog({ passkey, onClose }: Props) {
  const { mutateAsync, isPending, isRunning } = useRenamePasskey(passkey)
  const { typed, type, end, discard, isRestored } = useFormDraftState(
    formNames.passkey(passkey),
    z.string(),
    passkey.name,
  )
  const [problem, setProblem] = useState<string>()
  const isOpen = useIsMounted()

  async function rename() {
    if (isRunning()) return
    const name = nameField.safeParse(typed)
    if (!name.success) return setProblem(name.error.issues[0]?.message)
    try {
      await mutateAsync(name.data)
      end(typed, name.data)
      // Otherwise it may be open again.
      if (isOpen()) onClose()
    } catch (error) {
      if (!isOpen()) return toastError(error, 'The name could not be saved')
      setProblem(error instanceof ApiError ? error.message : 'The name could not be saved.')
    }
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Rename ${passkey.name}`} sticky>
      <DialogForm busy={isPending} onSubmit={rename}>
        <DialogBody>
          <RestoredBanner isRestored={isRestored} onDiscard={discard} />
          <Field label="Name" error={problem}>
            <TextInput
              autoComplete="off"
              maxLength={2 * PASSKEY_NAME_MAX}
              value={typed}
              onChange={({ target }) => {
                type(target.value)
                setProblem(undefined)
              }}
            />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            Save name
          </Button>
        </DialogFooter>
      </DialogForm>
    </Dialog>
  )
}
