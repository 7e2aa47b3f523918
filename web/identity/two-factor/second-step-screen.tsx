import { ShieldCheck } from 'lucide-react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { ApiError, isUncertain } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { withRedirect } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { useKeepAccount } from '#web/identity/sign-in/keep-account.tsx'
import { NarrowPageLayout } from '#web/identity/sign-in/narrow-page-layout.tsx'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { StageHeading } from '#web/ui/layout/page.tsx'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'
import { CodeField } from './code-field.tsx'

const ends = {
  late: {
    heading: 'This sign-in took too long',
    text: 'It has to be finished within ten minutes. Please sign in again.',
  },
  unfinished: {
    heading: 'This sign-in could not be finished',
    text: 'Please sign in again, with another code: the one that you entered may have been used.',
  },
}

/** The second step of a sign-in. Only this server as the identity provider has one. */
export default function SecondStepScreen() {
  const [search] = useSearchParams()
  const isHosted = useServerOptions()?.identity.provider === 'firebase'
  const isHydrated = useHydrated()
  if (!isHosted) return <SecondStep search={search} />
  // The router does not redirect while the server renders.
  return isHydrated && <Navigate to={withRedirect('/login', search)} replace />
}

/** The second step, identified by a cookie of this browser; the layout around it redirects once it is done. */
function SecondStep({ search }: { search: URLSearchParams }) {
  const { end, dialog, ...step } = useSecondStep()
  const heading = end ? ends[end].heading : 'One more step'
  return (
    <NarrowPageLayout isSteady>
      <ScreenTitle>Two-step sign-in</ScreenTitle>
      {dialog}
      <ShieldCheck className="mb-5 size-9 text-accent" aria-hidden="true" />
      <StageHeading large stage={heading}>
        {heading}
      </StageHeading>
      {end ? (
        <>
          <p className="mt-2 text-muted">{ends[end].text}</p>
          <div className="mt-6">
            <LinkButton to={withRedirect('/login', search)} variant="primary">
              Sign in
            </LinkButton>
          </div>
        </>
      ) : (
        <CodeForm
          {...step}
          startOver={
            <LinkButton to={withRedirect('/login', search)} variant="quiet" className="-mx-3">
              Start over
            </LinkButton>
          }
        />
      )}
    </NarrowPageLayout>
  )
}

/** What was typed, what became of it, and how the sign-in ended, if it did. */
function useSecondStep() {
  const { startSession } = useSession()
  const { offerToKeep, dialog } = useKeepAccount()
  const [kind, setKind] = useState<'app' | 'recovery'>('app')
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [end, setEnd] = useState<keyof typeof ends | null>(null)
  /** Whether a code may have been accepted, which happens only once: a later step failed, or the response was lost. */
  const wasAccepted = useRef(false)
  const field = useRef<HTMLInputElement>(null)

  function type(next: string) {
    setTyped(next)
    setProblem(undefined)
  }

  function refuse(error: unknown) {
    // The session could not be started. A toast has already asked the user to sign in again.
    if (!(error instanceof ApiError)) return setEnd('unfinished')
    if (error.code === 'expired') return setEnd(wasAccepted.current ? 'unfinished' : 'late')
    if (!error.issues.some(({ path }) => path === 'code')) return setFailure(error.message)
    setProblem(error.message)
    field.current?.focus()
    field.current?.select()
  }

  const finish = useFirstPress(async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await request('finishSignInAtProvider', { body: { code: typed } })
      wasAccepted.current = true
      await offerToKeep(() => startSession())
    } catch (error) {
      if (isUncertain(error)) wasAccepted.current = true
      refuse(error)
    }
    setBusy(false)
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (typed.trim() === '') {
      setProblem(kind === 'app' ? 'Enter the six digits' : 'Enter a recovery code')
      field.current?.focus()
    } else finish()
  }

  function switchKind() {
    setKind(kind === 'app' ? 'recovery' : 'app')
    type('')
    setFailure(undefined)
  }

  return { field, kind, typed, type, isBusy, problem, failure, end, submit, switchKind, dialog }
}

type CodeFormProps = Omit<ReturnType<typeof useSecondStep>, 'end' | 'dialog'> & { startOver: ReactNode }

function CodeForm(props: CodeFormProps) {
  const { field, kind, typed, type, isBusy, problem, failure, submit, switchKind, startOver } = props
  const isAlive = useHydrated()
  return (
    <form method="post" noValidate onSubmit={submit} className="mt-5 flex flex-col items-start gap-5">
      {failure !== undefined && <Banner className="w-full">{failure}</Banner>}
      <CodeField
        key={kind}
        ref={field}
        kind={kind}
        error={problem}
        value={typed}
        onChange={({ target }) => type(target.value)}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="w-full disabled:opacity-100!"
        disabled={!isAlive}
        busy={isBusy}
        busyLabel="Signing in…"
      >
        Sign in
      </Button>
      <div className="flex w-full flex-wrap justify-between gap-2">
        <Button variant="quiet" className="-mx-3" disabled={isBusy} onClick={switchKind}>
          {kind === 'app' ? 'Use a recovery code' : 'Use a code of the app'}
        </Button>
        {startOver}
      </div>
    </form>
  )
}
