import { clsx } from 'clsx'
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '#web/api/api-error.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { GoogleFailure } from '#web/identity/provider.ts'
import { withRedirect } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { isAccountRefused } from '#web/identity/session-manager.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'
import { useIsMounted } from '#web/ui/layout/use-is-mounted.ts'
import { useKeepAccount } from './keep-account.tsx'
import { NarrowPageLayout } from './narrow-page-layout.tsx'
import { googleFailures, noGoogle } from './texts.ts'

type AuthPageLayoutProps = {
  title: string
  lede: string
  /** An information banner above the form. */
  notice?: string | undefined
  error: string | null
  onError: (text: string | null) => void
  onSubmit: (event: FormEvent) => void
  onKeyDown?: (event: KeyboardEvent) => void
  /** Another sign-in method, below Google's. */
  otherWay?: ReactNode
  /** The title of the document. */
  screen: string
  /** The fields and the submit button. */
  children: ReactNode
  /** The link to the other auth page. */
  alternative: ReactNode
}

/**
 * The layout of the sign-in and registration screens: an error banner, the Google button and, unless people sign in only
 * through an issuer, the form.
 */
export function AuthPageLayout(props: AuthPageLayoutProps) {
  const {
    screen,
    title,
    lede,
    notice,
    error,
    onError,
    otherWay,
    onSubmit,
    onKeyDown,
    children,
    alternative,
  } = props
  const isIssuerOnly = useServerOptions()?.identity.issuerOnly
  return (
    <NarrowPageLayout>
      <ScreenTitle>{screen}</ScreenTitle>
      <h1 className="text-3xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-2 mb-6 text-muted max-sm:mt-1 max-sm:mb-5">{lede}</p>
      {notice && !error && (
        <Banner tone="info" className="mb-5">
          {notice}
        </Banner>
      )}
      {error && <Banner className="mb-5">{error}</Banner>}
      <noscript>
        <Banner tone="info" className="mb-5">
          Signing in needs JavaScript, which this browser has switched off. Public projects can be read
          without it.
        </Banner>
      </noscript>
      <GoogleButton onError={onError} />
      {otherWay}
      {isIssuerOnly ? (
        <p className="mt-4 text-center text-sm text-muted">
          That is the only way to sign in to this server: it has no passwords.
        </p>
      ) : (
        <>
          <div className="my-5 flex items-center gap-3 text-sm text-muted max-sm:my-3.5">
            <span className="h-px flex-1 bg-line" />
            or with your email
            <span className="h-px flex-1 bg-line" />
          </div>
          {/* POST, so that the password never appears in a URL, even if the browser submits the form natively. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from its fields */}
          <form
            method="post"
            noValidate
            onSubmit={onSubmit}
            onKeyDown={onKeyDown}
            className="flex flex-col gap-4 max-sm:gap-3.5"
          >
            {children}
          </form>
        </>
      )}
      <p className="mt-6 text-center text-sm text-muted">{alternative}</p>
    </NarrowPageLayout>
  )
}

/** The class of the links of the auth pages. */
export const linkClass = 'font-semibold text-accent underline-offset-4 hover:underline'

/** Signs in with Google. If the server does not support that, the error banner says so. */
function GoogleButton({ onError }: { onError: (text: string | null) => void }) {
  const { signInWithGoogle } = useSession()
  const { offerToKeep, dialog } = useKeepAccount()
  const orSecondStep = useSecondStep()
  const options = useServerOptions()?.identity
  const isAlive = useHydrated()
  const [isBusy, setIsBusy] = useState(false)
  const isMissing = options?.google === false

  const signIn = useFirstPress(async () => {
    onError(null)
    setIsBusy(true)
    await orSecondStep(offerToKeep(signInWithGoogle)).catch((error: unknown) => onError(messageOf(error)))
    setIsBusy(false)
  })

  return (
    <>
      {dialog}
      <Button
        className={clsx('w-full', isMissing && 'border-dashed bg-transparent! text-muted! shadow-none')}
        icon={<GoogleMark />}
        disabled={!isAlive}
        busy={isBusy}
        aria-describedby={isMissing ? 'google-missing' : undefined}
        onClick={() => (options?.google ? signIn() : onError(noGoogle))}
      >
        Continue with Google
      </Button>
      {isMissing && (
        <p id="google-missing" className="mt-1.5 text-center text-sm text-muted">
          Not set up on this server
        </p>
      )}
    </>
  )
}

/** Returns the banner's text. A failure after Google's part has already been shown in a toast. */
function messageOf(error: unknown): string {
  if (isAccountRefused(error)) return error.message
  // An ApiError: the code that opens the window could not be fetched.
  if (!(error instanceof GoogleFailure || error instanceof ApiError)) return 'Google sign-in failed'
  const text = googleFailures[error instanceof GoogleFailure ? error.outcome : 'failed']
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

/**
 * Returns a function that opens the screen for a code if a sign-in requires one, unless the sign-in screen was left in the
 * meantime. It rejects for other errors of the sign-in.
 */
export function useSecondStep(): (signIn: Promise<void>) => Promise<void> {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const isMounted = useIsMounted()
  return async (signIn) => {
    try {
      await signIn
    } catch (error) {
      if (!needsCode(error)) throw error
      if (isMounted()) await navigate(withRedirect('/login/code', search))
    }
  }
}

const needsCode = (error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'second_factor_required') ||
  (error instanceof GoogleFailure && error.outcome === 'second-factor')
