import { type ReactNode, useState } from 'react'
import { encode } from 'uqr'
import { ApiError } from '#web/api/api-error.ts'
import { CodeField } from '#web/identity/two-factor/code-field.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { StepForm, useClosing } from './change-dialog.tsx'
import { useBeginTwoFactor, useTurnOnTwoFactor } from './mutations.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

const MAY_BE_ON = 'Two-step sign-in may be on now. If it is, create new recovery codes and store them.'

type SetupDialogProps = { email: string; onClose: () => void }

/**
 * Turns two-step sign-in on: shows the QR code, asks for a code of the app, and shows the recovery codes.
 */
export function SetupDialog({ email, onClose }: SetupDialogProps) {
  const begin = useBeginTwoFactor()
  const turnOn = useTurnOnTwoFactor()
  const secret = begin.data
  const codes = turnOn.data?.recoveryCodes
  const { open, close } = useClosing(turnOn, codes !== undefined, onClose, MAY_BE_ON)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={codes ? 'Two-step sign-in is on' : 'Turn on two-step sign-in'}
      sticky
    >
      {codes ? (
        <RecoveryCodes codes={codes} email={email} onClose={onClose} />
      ) : secret ? (
        <CodeForm send={(code) => turnOn.mutateAsync(code)} onClose={close}>
          <AppSecret {...secret} />
        </CodeForm>
      ) : (
        <StepForm verb="Continue" send={async () => void (await begin.mutateAsync())} onClose={onClose}>
          <p className="text-muted">
            You need an authenticator app, such as Aegis, 2FAS or Google Authenticator; many password managers
            are one, too. Turning it on signs you out everywhere else.
          </p>
        </StepForm>
      )}
    </Dialog>
  )
}

type CodeFormProps = { send: (code: string) => Promise<unknown>; onClose: () => void; children: ReactNode }

/** Asks for a code of the app. */
function CodeForm({ send, onClose, children }: CodeFormProps) {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()

  async function sendCode() {
    if (code.trim() === '') return setProblem('Enter a code')
    try {
      await send(code)
    } catch (error) {
      const issue = error instanceof ApiError && error.issues.find(({ path }) => path === 'code')
      if (!issue) throw error
      setProblem(issue.message)
    }
  }

  return (
    <StepForm verb="Turn on" send={sendCode} onClose={onClose}>
      {children}
      <CodeField
        kind="app"
        error={problem}
        value={code}
        onChange={({ target }) => {
          setCode(target.value)
          setProblem(undefined)
        }}
      />
    </StepForm>
  )
}

/** The secret as a QR code, and as text for people who cannot scan it. */
function AppSecret({ secret, url }: { secret: string; url: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <p className="text-muted">Scan this with your app, then enter the code that it shows.</p>
      <QrCode text={url} />
      {isShown ? (
        <div className="flex flex-wrap items-center gap-2.5">
          <code className="min-w-0 flex-1 basis-56 font-mono text-sm break-all">{grouped(secret)}</code>
          <CopyButton text={secret} label="Copy secret" />
        </div>
      ) : (
        <button
          type="button"
          className="self-start text-sm font-semibold text-accent underline-offset-4 hover:underline"
          onClick={() => setShown(true)}
        >
          Enter it as text instead
        </button>
      )}
    </>
  )
}

const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

/** Dark on light in both themes, with the margin that scanners need. */
function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an svg cannot be an img
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 self-center rounded-md border border-line"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
