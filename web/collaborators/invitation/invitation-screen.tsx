import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { data, useParams } from 'react-router'
import { answerContext, refusalOf, routeErrorOf } from '#web/api/answer.server.ts'
import { ApiError, serverMessage } from '#web/api/api-error.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'
import { isPassing } from '#web/api/query-client.ts'
import { invitationQuery, useOwnUsedInvitation } from '#web/collaborators/queries.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { useSession } from '#web/identity/session.tsx'
import { Page } from '#web/ui/page.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import type { Route } from './+types/invitation-screen'
import { InvitationCard } from './invitation-card.tsx'
import {
  AlreadyCollaborator,
  InvalidInvitation,
  InvitationAccepted,
  InvitationDeclined,
} from './invitation-outcome.tsx'

/** The look-up, for the page's first appearance: what one is invited to, or why the link leads nowhere. */
export async function loader({ context, params }: Route.LoaderArgs) {
  try {
    const found = await context.get(answerContext)('acceptInvitation', { params })
    return { found: 'requiresAuth' in found ? found : undefined, refusal: null }
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal || refusal.status >= 500) throw routeErrorOf(error)
    const { message, code, status } = refusal
    return data({ found: undefined, refusal: { message, code } }, { status })
  }
}

/** Within the app the screen asks by itself, and shows that it waits. */
export function clientLoader() {
  return null
}

/** The address is a secret: no site that is gone to from here learns it, and no search engine keeps it. */
export function headers() {
  return { 'referrer-policy': 'strict-origin', 'x-robots-tag': 'noindex' }
}

/** Where the link of an invitation leads. */
export default function InvitationScreen({ loaderData }: Route.ComponentProps) {
  const { inviteToken = '' } = useParams()
  return (
    <Page width="narrow">
      <NoIndex />
      <meta name="referrer" content="strict-origin" />
      <Invitation key={inviteToken} inviteToken={inviteToken} first={loaderData} />
    </Page>
  )
}

type Outcome = { stage: 'accepted'; redirectTo: string } | { stage: 'declined' }

type InvitationProps = { inviteToken: string; first: Route.ComponentProps['loaderData'] }

function Invitation({ inviteToken, first }: InvitationProps) {
  const { status } = useSession()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const refusal = first?.refusal ?? null
  const {
    data: invitation,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...invitationQuery(inviteToken),
    ...(first?.found && { initialData: first.found }),
    enabled: outcome === null && refusal === null,
  })
  const isDead = (refusal ?? (error instanceof ApiError ? error : null))?.code === 'not_found'
  const own = useOwnUsedInvitation(inviteToken, { enabled: outcome === null && isDead })
  const failure = outcome === null && own.isSettled && !own.redirectTo ? (refusal ?? error) : null
  const said = refusal?.message ?? serverMessage(error)
  // Until it is known who is here, a dead link may still turn out to be their own.
  useFailureToast(status === 'loading' ? null : failure, said ?? 'Invalid invitation')

  if (outcome?.stage === 'accepted' && invitation) {
    return <InvitationAccepted invitation={invitation} redirectTo={outcome.redirectTo} />
  }
  if (outcome?.stage === 'declined') return <InvitationDeclined />
  if (own.redirectTo) return <AlreadyCollaborator redirectTo={own.redirectTo} />
  if (failure !== null && !(invitation && isPassing(error))) {
    const again = isPassing(error) ? { isBusy: isFetching, run: () => void refetch() } : null
    return <InvalidInvitation message={said} again={again} />
  }
  if (!invitation) {
    return (
      <div className="grid min-h-[50dvh] place-items-center">
        <ScreenTitle>Invitation</ScreenTitle>
        <Spinner label="Loading invitation" />
      </div>
    )
  }
  return (
    <InvitationCard
      inviteToken={inviteToken}
      invitation={invitation}
      onAccepted={(redirectTo) => setOutcome({ stage: 'accepted', redirectTo })}
      onDeclined={() => setOutcome({ stage: 'declined' })}
    />
  )
}
