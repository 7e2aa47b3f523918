import { MailCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { ApiError, type ApiErrorCode } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { LinkPage } from './link-page.tsx'

const headings: Record<Stage, string> = {
  asking: 'Confirm your email address',
  confirmed: 'Your email address is confirmed',
  expired: 'This link no longer works',
  sent: 'A new link is on its way',
  elsewhere: 'This link is for another account',
}

/**
 * The screen that a confirmation link opens. The guard around it requires a session; the server checks that it belongs to
 * the account that the link was sent to.
 */
export default function VerifyEmailScreen() {
  const { token = '' } = useParams()
  const { user, signOut } = useSession()
  const sendsMail = useServerOptions()?.identity.sendsMail ?? true
  const { stage, isBusy, fault, confirm, sendAnother } = useVerification(token)
  const email = <b className="font-semibold break-words">{user?.email}</b>
  // The guard then redirects to the sign-in page, which redirects back here.
  const home = <LinkButton to="/dashboard">Go to Dashboard</LinkButton>
  const another = <Button onClick={() => void signOut()}>Sign in with another account</Button>

  const descriptions: Record<Stage, ReactNode> = {
    asking: <>You are signed in with {email}. Is this address yours?</>,
    confirmed: <>{email} is known to be yours.</>,
    expired: 'It has been used, or it is older than a day.',
    sent: <>Look for it at {email}. It works for a day.</>,
    elsewhere: <>You are signed in with {email}. Sign in to the account that the link was sent for.</>,
  }
  const actions: Record<Stage, ReactNode> = {
    asking: (
      <>
        <Button variant="primary" busy={isBusy} onClick={() => confirm()}>
          Confirm this address
        </Button>
        {another}
      </>
    ),
    confirmed: (
      <LinkButton to="/dashboard" variant="primary">
        Go to Dashboard
      </LinkButton>
    ),
    expired: sendsMail ? (
      <Button variant="primary" busy={isBusy} onClick={() => sendAnother()}>
        Send a new link
      </Button>
    ) : (
      home
    ),
    sent: home,
    elsewhere: another,
  }

  return (
    <LinkPage icon={MailCheck} heading={headings[stage]}>
      <p className="mt-2 text-muted">{descriptions[stage]}</p>
      <div className="mt-6 flex flex-wrap gap-2.5">{actions[stage]}</div>
      {/* Below the buttons, because it appears and disappears, and they must not move under the pointer. */}
      {fault && <Banner className="mt-5">{fault}</Banner>}
    </LinkPage>
  )
}

/** The state of the confirmation. `elsewhere`: the link was sent to another account. */
type Stage = 'asking' | 'confirmed' | 'expired' | 'sent' | 'elsewhere'

const stageOfError: { [code in ApiErrorCode]?: Stage } = {
  expired: 'expired',
  not_found: 'expired',
  wrong_account: 'elsewhere',
  conflict: 'confirmed',
}

/** Confirms an email address by the token of a link, or requests another link. */
function useVerification(token: string) {
  const [stage, setStage] = useState<Stage>('asking')
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)

  const attempt = useFirstPress(async (work: () => Promise<void>, next: Stage) => {
    setBusy(true)
    setFault(null)
    try {
      await work()
      setStage(next)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const nextStage = stageOfError[error.code]
      if (nextStage === undefined || nextStage === stage) setFault(error.message)
      else setStage(nextStage)
    } finally {
      setBusy(false)
    }
  })

  return {
    stage,
    isBusy,
    fault,
    confirm: () => attempt(() => request('verifyEmail', { body: { token } }), 'confirmed'),
    sendAnother: () => attempt(() => request('sendVerificationEmail', {}), 'sent'),
  }
}
