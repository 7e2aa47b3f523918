import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { ApiError, isUncertain } from '#web/api/api-error.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { CodeField } from '#web/identity/two-factor/code-field.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, PasswordInput } from '#web/ui/controls/field.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { twoFactorMutationKey, useMakeRecoveryCodes, useTurnOffTwoFactor } from './mutations.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type ProofDialogProps = { email: string; purpose: 'off' | 'codes'; onClose: () => void }

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

/** Asks for the password and a code, and turns two-step sign-in off or creates new recovery codes. */
export function ProofDialog({ email, purpose, onClose }: ProofDialogProps) {
  const { title, text, verb, variant } = faces[purpose]
  const off = useTurnOffTwoFactor()
  const renew = useMakeRecoveryCodes(email)
  const codes = renew.data?.recoveryCodes
  const { open, close } = useClosing(
    purpose === 'codes' ? renew : off,
    codes !== undefined,
    onClose,
    purpose === 'codes' ? MAY_BE_REPLACED : undefined,
  )

  async function send(proof: { currentPassword: string; code: string }) {
    if (purpose === 'codes') {
      await renew.mutateAsync(proof)
      return
    }
    await off.mutateAsync(proof)
    toast.success('Two-step sign-in is off')
    onClose()
  }

  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title={title} sticky>
      {codes ? (
        <RecoveryCodes codes={codes} email={email} onClose={onClose} />
      ) : (
        <SecretForm
          email={email}
          asks={['currentPassword', 'code']}
          verb={verb}
          variant={variant}
          send={send}
          onClose={close}
        >
          <p className="text-muted">{text}</p>
        </SecretForm>
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

type Asked = 'currentPassword' | 'code'

type SecretFormProps = {
  email: string
  asks: Asked[]
  /** The accepted kinds of code. */
  kind?: 'app' | 'either'
  verb: string
  variant?: 'primary' | 'danger'
  send: (typed: { [field in Asked]: string }) => Promise<void>
  onClose: () => void
  children: ReactNode
}

const missing = { currentPassword: 'Enter your password', code: 'Enter a code' }

/** The form of a dialog that asks for the password, a code or both, which are not stored. */
export function SecretForm(props: SecretFormProps) {
  const { email, asks, kind = 'either', verb, variant = 'primary', send, onClose, children } = props
  const [typed, setTyped] = useState({ currentPassword: '', code: '' })
  const [problems, setProblems] = useState<{ [field in Asked]?: string }>({})
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  function type(field: Asked, text: string) {
    setTyped({ ...typed, [field]: text })
    setProblems({ ...problems, [field]: undefined })
  }

  async function submit() {
    const blank = asks.filter((field) => typed[field].trim() === '')
    setFailure(undefined)
    if (blank.length > 0)
      return setProblems(Object.fromEntries(blank.map((field) => [field, missing[field]])))
    setBusy(true)
    try {
      await send(typed)
    } catch (error) {
      const { issues = [], message } = error instanceof ApiError ? error : { message: 'Please try again.' }
      const issue = issues.find(({ path }) => asks.some((field) => field === path))
      if (issue) setProblems({ [issue.path]: issue.message })
      else setFailure(message)
    }
    setBusy(false)
  }

  return (
    <DialogForm busy={isBusy} onSubmit={submit}>
      <DialogBody>
        {children}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        {asks.includes('currentPassword') && (
          <Field label="Your password" error={problems.currentPassword}>
            <PasswordInput
              autoComplete="current-password"
              value={typed.currentPassword}
              onChange={({ target }) => type('currentPassword', target.value)}
            />
          </Field>
        )}
        {asks.includes('code') && (
          <CodeField
            kind={kind}
            error={problems.code}
            value={typed.code}
            onChange={({ target }) => type('code', target.value)}
          />
        )}
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
