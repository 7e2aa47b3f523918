import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AtSign } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useParams } from 'react-router'
import type { User } from '#contract/identity.ts'
import { ApiError, type ApiErrorCode, isUncertain } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { readToken } from '#web/api/token.ts'
import { NoIndex } from '#web/head/screen-title.tsx'
import { LinkPage } from '#web/identity/emailed-links/link-page.tsx'
import { useLeaving } from '#web/identity/leaving.tsx'
import { loginPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { change } from '#web/saving/change.ts'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { accountQuery } from './queries.ts'

/** The state of a link. `waiting`: the other email address has not confirmed the change yet. */
type Stage = 'asking' | 'waiting' | 'changed' | 'refused' | 'elsewhere' | 'expired'

const headings: Record<Stage, string> = {
  asking: 'Change the address of your account?',
  waiting: 'This address is confirmed',
  changed: 'Your address is changed',
  refused: 'Nothing is changed',
  elsewhere: 'This link is for another account',
  expired: 'This link no longer works',
}

/**
 * The screen of the link by which an email address confirms or refuses a change of the email. Opening it changes nothing;
 * confirming needs a session of the account, refusing does not.
 */
export default function EmailChangeScreen() {
  const { token = '' } = useParams()
  const { status, signOut } = useSession()
  const leaving = useLeaving(() => void signOut())
  const { stage, person, busy, fault, confirm, refuse } = useEmailChange(token)
  const email = <b className="font-semibold break-words">{person?.email}</b>
  const isSignedIn = status === 'signed-in'

  const descriptions: Record<Stage, ReactNode> = {
    asking: isSignedIn ? (
      <>You are signed in with {email}. If you asked for another address, confirm it.</>
    ) : (
      'If you asked for another address, sign in to your account to confirm it.'
    ),
    waiting: 'Your address changes once you open the link that was sent to the other one, too.',
    changed: <>You sign in with {email} from now on. You are signed out everywhere else.</>,
    refused:
      'The account keeps its address. If it is yours, choose a new password: somebody knows the current one.',
    elsewhere: <>You are signed in with {email}. Sign in to the account that the link was sent for.</>,
    expired: 'It has been used, or it is older than a day, or the change has been ended or replaced since.',
  }
  const settings = (
    <LinkButton to="/settings" variant="primary">
      Go to Settings
    </LinkButton>
  )
  const actions: Record<Stage, ReactNode> = {
    asking: (
      <>
        {isSignedIn ? (
          <Button
            variant="primary"
            disabled={busy === 'refuse'}
            busy={busy === 'confirm'}
            onClick={() => confirm()}
          >
            Confirm the change
          </Button>
        ) : (
          <LinkButton to={loginPath(`/email-change/${token}`)} variant="primary">
            Sign in
          </LinkButton>
        )}
        <Button
          disabled={status === 'loading' || busy === 'confirm'}
          busy={busy === 'refuse'}
          onClick={() => refuse()}
        >
          It was not me
        </Button>
      </>
    ),
    waiting: settings,
    changed: settings,
    refused: (
      <LinkButton to="/forgot-password" variant="primary">
        Choose a new password
      </LinkButton>
    ),
    elsewhere: (
      <>
        <Button onClick={() => leaving.request()}>Sign out</Button>
        {leaving.question}
      </>
    ),
    expired: settings,
  }

  return (
    <LinkPage icon={AtSign} heading={headings[stage]}>
      <NoIndex />
      <p className="mt-2 text-muted">{descriptions[stage]}</p>
      <div className="mt-6 flex flex-wrap gap-2.5">{actions[stage]}</div>
      {/* Below the buttons, because it appears and disappears, and they must not move under the pointer. */}
      {fault && <Banner className="mt-5">{fault}</Banner>}
    </LinkPage>
  )
}

const stageOfError: { [code in ApiErrorCode]?: Stage } = {
  expired: 'expired',
  not_found: 'expired',
  wrong_account: 'elsewhere',
}

/** A stage, and the user who was signed in when it was reached. */
type Reached = { stage: Stage; person: User | null }

function useEmailChange(token: string) {
  const client = useQueryClient()
  const { user, updateUser } = useSession()
  const [reached, setReached] = useState<Reached | null>(null)
  const [busy, setBusy] = useState<'confirm' | 'refuse' | null>(null)
  const [fault, setFault] = useState<string | null>(null)

  const attempt = useFirstPress(async (kind: 'confirm' | 'refuse', work: () => Promise<Reached>) => {
    setBusy(kind)
    setFault(null)
    try {
      setReached(await work())
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const stage = stageOfError[error.code]
      if (stage !== undefined) setReached({ stage, person: user })
      // If the session has ended, the page asks to sign in.
      else if (error.code !== 'not_signed_in' || readToken() !== null) setFault(error.message)
    } finally {
      setBusy(null)
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
    }
  })

  async function confirm(): Promise<Reached> {
    try {
      const { email, unconfirmed } = await change('confirmEmailChange', { body: { token } })
      return unconfirmed.length > 0 ? { stage: 'waiting', person: user } : changedTo(email)
    } catch (error) {
      const mayBeDone = isUncertain(error) || (error instanceof ApiError && error.code === 'expired')
      if (!mayBeDone) throw error
      // Confirmed by an earlier attempt whose response was lost, or in another tab.
      const { _id, email } = await request('readAccount', {})
      if (_id !== user?._id || email === user.email) throw error
      return changedTo(email)
    }
  }

  const changedTo = (email: string): Reached => ({ stage: 'changed', person: user && { ...user, email } })

  // The other address may confirm or refuse it in another tab.
  const isWaiting = reached?.stage === 'waiting' && reached.person?._id === user?._id
  const { data: account, isFetchedAfterMount } = useQuery({
    ...accountQuery,
    staleTime: 0,
    enabled: isWaiting,
  })
  if (isWaiting && isFetchedAfterMount && account && !account.emailChange)
    setReached(
      account.email === reached.person?.email
        ? { stage: 'expired', person: reached.person }
        : changedTo(account.email),
    )

  const changed = reached?.stage === 'changed' ? reached.person : null
  const show = useEffectEvent((person: User) => updateUser(person))
  useEffect(() => {
    if (changed) show(changed)
  }, [changed])

  // A person to whom the link does not belong may sign out, here or in another tab; then the next person is asked.
  const isOutdated = reached?.stage === 'elsewhere' && reached.person?._id !== user?._id
  const { stage, person }: Reached = reached && !isOutdated ? reached : { stage: 'asking', person: user }
  return {
    stage,
    person,
    busy,
    fault,
    confirm: () => attempt('confirm', confirm),
    refuse: () =>
      attempt('refuse', async () => {
        await change('refuseEmailChange', { body: { token } })
        return { stage: 'refused', person: user }
      }),
  }
}
