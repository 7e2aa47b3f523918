import { clsx } from 'clsx'
import { KeyRound } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ISSUER_FRAGMENT, ISSUER_OUTCOMES } from '#contract/sign-in.ts'
import { ApiError, withCause } from '#web/api/api-error.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { useIssuerName } from '#web/identity/issuer-name.ts'
import { IssuerFailure } from '#web/identity/provider.ts'
import { useSession } from '#web/identity/session.tsx'
import { isAccountRefused, SignInNotKept } from '#web/identity/session-manager.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'
import { useKeepAccount } from './keep-account.tsx'
import { useSecondStep } from './second-step.ts'
import { issuerFailure, noIssuer } from './texts.ts'

type Props = { isFailed: boolean; onError: (text: string | null) => void }

/** Signs in with Google, or the issuer that replaces it. If the server does not support that, the error banner says so. */
export function IssuerButton({ isFailed, onError }: Props) {
  const { signInWithIssuer, startSession } = useSession()
  const { offerToKeep, dialog } = useKeepAccount()
  const orSecondStep = useSecondStep()
  const options = useServerOptions()?.identity
  const issuer = useIssuerName()
  const isAlive = useHydrated()
  const [isBusy, setIsBusy] = useState(false)
  const [isBlocked, setIsBlocked] = useState(false)
  const isMissing = options?.google === false

  async function run(signIn: () => Promise<void>) {
    onError(null)
    setIsBusy(true)
    setIsBlocked(false)
    await orSecondStep(offerToKeep(signIn)).catch((error: unknown) => {
      setIsBlocked(error instanceof IssuerFailure && error.outcome === 'blocked')
      onError(messageOf(error, issuer))
    })
    setIsBusy(false)
  }

  useOutcomeInUrl((outcome) =>
    run(async () => {
      if (outcome !== 'signed-in') throw new IssuerFailure(outcome)
      await startSession()
    }),
  )
  const press = useFirstPress(() => run(() => signInWithIssuer()))
  const goOn = useFirstPress(() => run(() => signInWithIssuer(true)))

  return (
    <>
      {dialog}
      <Button
        className={clsx('w-full', isMissing && 'border-dashed bg-transparent! text-muted! shadow-none')}
        icon={issuer === 'Google' ? <GoogleMark /> : <KeyRound aria-hidden="true" />}
        disabled={!isAlive}
        busy={isBusy}
        aria-describedby={isMissing ? 'issuer-missing' : undefined}
        onClick={() => (options?.google ? press() : onError(noIssuer))}
      >
        Continue with {issuer}
      </Button>
      {isBlocked && isFailed && (
        <Button variant="quiet" className="mt-1.5 w-full" busy={isBusy} onClick={() => goOn()}>
          Go on without a popup
        </Button>
      )}
      {isMissing && (
        <p id="issuer-missing" className="mt-1.5 text-center text-sm text-muted">
          Not set up on this server
        </p>
      )}
    </>
  )
}

type Outcome = (typeof ISSUER_OUTCOMES)[number]

/** Runs a function with the outcome that a sign-in in this tab left in the fragment of the URL, and removes it there. */
function useOutcomeInUrl(run: (outcome: Outcome) => Promise<void>): void {
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  const finish = useEffectEvent((outcome: Outcome) => {
    void navigate(pathname + search, { replace: true })
    void run(outcome)
  })
  useEffect(() => {
    const outcome = ISSUER_OUTCOMES.find((one) => hash === ISSUER_FRAGMENT + one)
    if (outcome !== undefined) finish(outcome)
  }, [hash])
}

/** Returns the banner's text. A failure after the issuer's part has already been shown in a toast. */
function messageOf(error: unknown, issuer: string): string {
  if (isAccountRefused(error) || error instanceof SignInNotKept) return error.message
  // An ApiError: the code that opens the window could not be fetched.
  if (!(error instanceof IssuerFailure || error instanceof ApiError)) return `${issuer} sign-in failed`
  const text =
    error instanceof IssuerFailure
      ? issuerFailure(error.outcome, issuer)
      : withCause(issuerFailure('failed', issuer), error)
  toast.error(text)
  return text
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="fill-current" aria-hidden="true">
      <path d="M21.6 12.23c0-.71-.06-1.39-.18-2.05H12v3.87h5.38a4.6 4.6 0 0 1-2 3.02v2.5h3.24c1.9-1.74 2.98-4.31 2.98-7.34Z" />
      <path d="M12 22c2.7 0 4.97-.9 6.62-2.43l-3.23-2.5c-.9.6-2.04.95-3.39.95a5.96 5.96 0 0 1-5.6-4.12H3.06v2.58A10 10 0 0 0 12 22Z" />
      <path d="M6.4 13.9a6 6 0 0 1 0-3.8V7.52H3.06a10 10 0 0 0 0 8.96L6.4 13.9Z" />
      <path d="M12 5.98c1.47 0 2.79.5 3.82 1.5l2.87-2.87A9.6 9.6 0 0 0 12 2a10 10 0 0 0-8.94 5.52L6.4 10.1A5.96 5.96 0 0 1 12 5.98Z" />
    </svg>
  )
}
