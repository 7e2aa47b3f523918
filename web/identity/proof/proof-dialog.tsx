import { useQuery } from '@tanstack/react-query'
import { Fingerprint, KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { PROOF_MINUTES } from '#contract/sign-in.ts'
import { ApiError } from '#web/api/api-error.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { useIssuerName } from '#web/identity/issuer-name.ts'
import { NoPasskey } from '#web/identity/passkeys/browser.ts'
import { IssuerFailure } from '#web/identity/provider.ts'
import { useSession } from '#web/identity/session.tsx'
import { issuerFailure } from '#web/identity/sign-in/texts.ts'
import { CodeField } from '#web/identity/two-factor/code-field.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Field, PasswordInput } from '#web/ui/controls/field.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { DialogForm } from '#web/ui/dialogs/dialog-form.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { hostedMethods } from './hosted.ts'
import { localMethods, type ProofMethods } from './methods.ts'

type Props = { onProven: () => void; onClose: () => void }

/** Asks the signed-in person to prove who they are. It opens once it is known how they can. */
export function ProofDialog({ onProven, onClose }: Props) {
  const firebase = useServerOptions()?.identity.firebase
  const { data, isPending } = useQuery({
    queryKey: ['proof-methods'],
    queryFn: () => (firebase ? hostedMethods(firebase) : localMethods()),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog
      open={!isPending}
      onOpenChange={(open) => !open && onClose()}
      title="Confirm that it is you"
      description={`You signed in a while ago. After this, you are not asked again for ${PROOF_MINUTES} minutes.`}
      sticky
    >
      {data && hasMethod(data) ? (
        <Methods methods={data} onProven={onProven} onClose={onClose} />
      ) : (
        <NoMethod onClose={onClose}>
          {data ? (
            <>
              Nothing that you sign in with works on this server any more, so you cannot confirm that it is
              you. Please ask the people who run it.
            </>
          ) : (
            'The server cannot be reached. Check your connection and try again.'
          )}
        </NoMethod>
      )}
    </Dialog>
  )
}

const hasMethod = ({ password, passkey, issuer }: ProofMethods) => Boolean(password ?? passkey ?? issuer)

function NoMethod({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <>
      <DialogBody>
        <Banner>{children}</Banner>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </>
  )
}

type Typed = { currentPassword: string; code: string }
type Problems = { [field in keyof Typed]?: string }

function Methods({ methods, onProven, onClose }: Props & { methods: ProofMethods }) {
  const { password } = methods
  const [typed, setTyped] = useState<Typed>({ currentPassword: '', code: '' })
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState<keyof ProofMethods>()
  const issuer = useIssuerName()

  async function prove(method: keyof ProofMethods, run: () => Promise<void>) {
    setFailure(undefined)
    setProblems({})
    setBusy(method)
    try {
      await run()
      onProven()
    } catch (error) {
      const issues = error instanceof ApiError ? error.issues : []
      setProblems(Object.fromEntries(issues.map(({ path, message }) => [path, message])))
      if (issues.length === 0) setFailure(messageOf(error, issuer))
    }
    setBusy(undefined)
  }

  async function submit() {
    if (!password) return undefined
    const { needsCode, prove: proveByPassword } = password
    const { currentPassword, code } = typed
    const missing: Problems = {
      ...(currentPassword === '' && { currentPassword: 'Enter your password' }),
      ...(needsCode && code.trim() === '' && { code: 'Enter a code' }),
    }
    if (Object.keys(missing).length > 0) return setProblems(missing)
    return prove('password', () => proveByPassword({ currentPassword, ...(needsCode && { code }) }))
  }

  function type(next: Partial<Typed>) {
    setTyped({ ...typed, ...next })
    setProblems({})
  }

  return (
    <DialogForm busy={busy !== undefined} onSubmit={submit}>
      <DialogBody>
        {failure !== undefined && <Banner>{failure}</Banner>}
        {password && (
          <PasswordFields needsCode={password.needsCode} typed={typed} problems={problems} onType={type} />
        )}
        <OtherMethods methods={methods} busy={busy} onPress={prove} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        {password && (
          <Button type="submit" variant="primary" busy={busy === 'password'}>
            Confirm
          </Button>
        )}
      </DialogFooter>
    </DialogForm>
  )
}

type FieldProps = {
  needsCode: boolean
  typed: Typed
  problems: Problems
  onType: (next: Partial<Typed>) => void
}

function PasswordFields({ needsCode, typed, problems, onType }: FieldProps) {
  const { user } = useSession()
  return (
    <>
      {/* For password managers, which need the account of the password. */}
      <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <Field label="Your password" error={problems.currentPassword}>
        <PasswordInput
          autoComplete="current-password"
          value={typed.currentPassword}
          onChange={({ target }) => onType({ currentPassword: target.value })}
        />
      </Field>
      {needsCode && (
        <CodeField
          kind="either"
          error={problems.code}
          value={typed.code}
          onChange={({ target }) => onType({ code: target.value })}
        />
      )}
    </>
  )
}

type OtherProps = {
  methods: ProofMethods
  busy: keyof ProofMethods | undefined
  onPress: (method: keyof ProofMethods, run: () => Promise<void>) => Promise<void>
}

/** The methods without fields. The first one is the main action where there is no password. */
function OtherMethods({ methods: { password, passkey, issuer }, busy, onPress }: OtherProps) {
  const issuerName = useIssuerName()
  const look = (isMain: boolean) => (isMain ? 'primary' : 'secondary')
  if (!passkey && !issuer) return null
  return (
    <div className="flex flex-col gap-2.5">
      {passkey && (
        <Button
          variant={look(!password)}
          icon={<Fingerprint aria-hidden="true" />}
          busy={busy === 'passkey'}
          onClick={() => void onPress('passkey', passkey)}
        >
          Use a passkey
        </Button>
      )}
      {issuer && (
        <Button
          variant={look(!password && !passkey)}
          icon={<KeyRound aria-hidden="true" />}
          busy={busy === 'issuer'}
          onClick={() => void onPress('issuer', issuer)}
        >
          Continue with {issuerName}
        </Button>
      )}
    </div>
  )
}

function messageOf(error: unknown, issuer: string): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof IssuerFailure) return issuerFailure(error.outcome, issuer)
  if (error instanceof NoPasskey) return 'No passkey was used. Try again, or use another way.'
  return 'This did not work. Please try again.'
}
