import { type ReactNode, useState } from 'react'
import { ApiError } from '#web/api/api-error.ts'
import { CodeField } from '#web/identity/two-factor/code-field.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, PasswordInput } from '#web/ui/controls/field.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useMakeRecoveryCodes, useTurnOffTwoFactor } from './mutations.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type ProofDialogProps = { email: string; purpose: 'off' | 'codes'; onClose: () => void }

const faces = {
  off: {
    title: 'Turn off two-step sign-in',
    text: 'From then on your password alone signs you in. You are signed out everywhere else.',
    verb: 'Turn off',
    variant: 'danger',
  },
  codes: {
    title: 'New recovery codes',
    text: 'Ten new codes take the place of those that you have.',
    verb: 'Make new codes',
    variant: 'primary',
  },
} as const

/** Turns two-step sign-in off, or makes new recovery codes, in return for the password and a code. */
export function ProofDialog({ email, purpose, onClose }: ProofDialogProps) {
  const { title, text, verb, variant } = faces[purpose]
  const off = useTurnOffTwoFactor()
  const renew = useMakeRecoveryCodes()
  const [codes, setCodes] = useState<string[]>()

  async function send(proof: { currentPassword: string; code: string }) {
    if (purpose === 'codes') return setCodes((await renew.mutateAsync(proof)).recoveryCodes)
    await off.mutateAsync(proof)
    toast.success('Two-step sign-in is off')
    onClose()
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} sticky>
      {codes ? (
        <RecoveryCodes codes={codes} email={email} onClose={onClose} />
      ) : (
        <SecretForm
          email={email}
          asks={['currentPassword', 'code']}
          verb={verb}
          variant={variant}
          send={send}
          onClose={onClose}
        >
          <p className="text-muted">{text}</p>
        </SecretForm>
      )}
    </Dialog>
  )
}

type Asked = 'currentPassword' | 'code'

type SecretFormProps = {
  email: string
  asks: Asked[]
  /** Whose code it asks for. */
  kind?: 'app' | 'either'
  verb: string
  variant?: 'primary' | 'danger'
  send: (typed: { [field in Asked]: string }) => Promise<void>
  onClose: () => void
  children: ReactNode
}

const missing = { currentPassword: 'Enter your password', code: 'Enter a code' }

/** The form of a dialog that asks for the password, a code or both, which are kept nowhere. */
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
    setProblems(Object.fromEntries(blank.map((field) => [field, missing[field]])))
    setFailure(undefined)
    if (blank.length > 0) return
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
    <form
      method="post"
      noValidate
      className="flex flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void submit()
      }}
    >
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
    </form>
  )
}
