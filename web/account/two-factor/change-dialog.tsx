import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { ApiError, isUncertain } from '#web/api/api-error.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { twoFactorMutationKey, useMakeRecoveryCodes, useTurnOffTwoFactor } from './mutations.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type ChangeDialogProps = { email: string; purpose: 'off' | 'codes'; onClose: () => void }

const faces = {
  off: {
    title: 'Turn off two-step sign-in',
    text: 'After that, your password alone signs you in. You are signed out everywhere else.',
    verb: 'Turn off',
    variant: 'danger',
  },
  codes: {
    title: 'New recovery codes',
    text: 'Ten new codes replace the ones that you have.',
    verb: 'Create new codes',
    variant: 'primary',
  },
} as const

const FAILED = 'Two-step sign-in could not be changed. Please try again.'
const MAY_BE_REPLACED =
  'Your recovery codes may have been replaced by new ones, which cannot be shown. Create new codes again.'

/** Turns two-step sign-in off or creates new recovery codes. */
export function ChangeDialog({ email, purpose, onClose }: ChangeDialogProps) {
  const { title, text, verb, variant } = faces[purpose]
  const off = useTurnOffTwoFactor()
  const renew = useMakeRecoveryCodes()
  const codes = renew.data?.recoveryCodes
  const { open, close } = useClosing(
    purpose === 'codes' ? renew : off,
    codes !== undefined,
    onClose,
    purpose === 'codes' ? MAY_BE_REPLACED : undefined,
  )

  async function send() {
    if (purpose === 'codes') {
      await renew.mutateAsync()
      return
    }
    await off.mutateAsync()
    toast.success('Two-step sign-in is off')
    onClose()
  }

  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title={title} sticky>
      {codes ? (
        <RecoveryCodes codes={codes} email={email} onClose={onClose} />
      ) : (
        <StepForm verb={verb} variant={variant} send={send} onClose={close}>
          <p className="text-muted">{text}</p>
        </StepForm>
      )}
    </Dialog>
  )
}

/**
 * Defers closing a dialog until its call has ended: recovery codes are shown once, even to a user who closed the dialog before
 * they arrived, and a failure is shown in a toast: `uncertainText` if the call may have succeeded.
 */
export function useClosing(
  { isPending, error }: { isPending: boolean; error: Error | null },
  hasCodes: boolean,
  onClose: () => void,
  uncertainText?: string,
): { open: boolean; close: () => void } {
  const client = useQueryClient()
  const [isLeft, setLeft] = useState(false)
  const end = useEffectEvent(() => {
    if (error) toastError(error, (isUncertain(error) && uncertainText) || FAILED)
    onClose()
  })
  useEffect(() => {
    if (isLeft && !isPending && !hasCodes) end()
  }, [isLeft, isPending, hasCodes])
  // The call may have begun since the last rendering.
  const isSent = () => client.isMutating({ mutationKey: twoFactorMutationKey }) > 0
  return { open: !isLeft || hasCodes, close: () => (isSent() ? setLeft(true) : onClose()) }
}

type StepFormProps = {
  verb: string
  variant?: 'primary' | 'danger'
  send: () => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** The form of one step of a dialog, which shows why it failed. */
export function StepForm({ verb, variant = 'primary', send, onClose, children }: StepFormProps) {
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit() {
    setFailure(undefined)
    setBusy(true)
    try {
      await send()
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : 'Please try again.')
    }
    setBusy(false)
  }

  return (
    <DialogForm busy={isBusy} onSubmit={submit}>
      <DialogBody>
        {children}
        {failure !== undefined && <Banner>{failure}</Banner>}
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant={variant} busy={isBusy}>
          {verb}
        </Button>
      </DialogFooter>
    </DialogForm>
  )
}
