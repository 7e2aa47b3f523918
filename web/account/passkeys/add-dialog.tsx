import { useRef, useState } from 'react'
import { z } from 'zod'
import { type NewCredential, PASSKEY_NAME_MAX, passkeyCalls } from '#contract/passkeys.ts'
import { ApiError, isUncertain } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { RestoredBanner } from '#web/forms/banners.tsx'
import { formNames } from '#web/forms/form-names.ts'
import { useFormDraftState } from '#web/forms/use-form-draft-state.ts'
import { createPasskey, KnownDevice, NoPasskey } from '#web/identity/passkeys/browser.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useIsMounted } from '#web/ui/layout/use-is-mounted.ts'
import { useAddPasskey } from './queries.ts'

type Props = { onClose: () => void }

/** Adds a passkey: asks for its name; then the device creates it. */
export function AddDialog({ onClose }: Props) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Add a passkey" sticky>
      <AddForm onClose={onClose} />
    </Dialog>
  )
}

const nameField = passkeyCalls.renamePasskey.body.shape.name

function AddForm({ onClose }: Props) {
  const { mutateAsync } = useAddPasskey()
  const { typed, type, end, discard, isRestored } = useFormDraftState(
    formNames.passkey({ _id: 'new' }),
    z.string(),
    '',
  )
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const isOpen = useIsMounted()
  /** The created credential, which the server may not have received: another attempt sends it again. */
  const made = useRef<{ id: string; credential: NewCredential }>(null)

  async function make() {
    const { passkeyId: id, options } = await request('beginPasskey', {})
    return { id, credential: await createPasskey(options) }
  }

  function refuse(error: unknown) {
    const issues = error instanceof ApiError ? error.issues : []
    const issue = issues.find(({ path }) => path === 'name')
    if (issue) setProblem(issue.message)
    else setFailure(messageOf(error))
  }

  async function add() {
    const name = nameField.safeParse(typed)
    setProblem(name.error?.issues[0]?.message)
    setFailure(undefined)
    if (!name.success) return
    setIsBusy(true)
    try {
      made.current ??= await make()
      await mutateAsync({ ...made.current, name: name.data })
      end(typed, '')
      toast.success(`${name.data} can sign you in now`)
      // Otherwise it may be open again.
      if (isOpen()) onClose()
    } catch (error) {
      if (!isUncertain(error)) made.current = null
      if (isOpen()) refuse(error)
      else toastError(error, messageOf(error))
    }
    setIsBusy(false)
  }

  return (
    <DialogForm busy={isBusy} onSubmit={add}>
      <DialogBody>
        <RestoredBanner isRestored={isRestored && !failure} onDiscard={discard} />
        {failure && <Banner>{failure}</Banner>}
        <Field label="Name" hint="Where it is kept, such as laptop, phone or security key." error={problem}>
          <TextInput
            autoComplete="off"
            maxLength={2 * PASSKEY_NAME_MAX}
            value={typed}
            onChange={({ target }) => type(target.value)}
          />
        </Field>
        <p className="text-sm text-muted">
          Your device then asks for your fingerprint, your face or its PIN. Milepost learns none of these.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          Add
        </Button>
      </DialogFooter>
    </DialogForm>
  )
}

function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (!('PublicKeyCredential' in window)) return 'This browser does not support passkeys. Use another one.'
  if (error instanceof KnownDevice) return 'This device already has a passkey for your account.'
  if (error instanceof NoPasskey)
    return 'Your device did not create a passkey. Try again, or use another device.'
  return 'The passkey could not be created. Please try again.'
}
