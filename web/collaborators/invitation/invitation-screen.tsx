import { queryOptions, useQuery } from '@tanstack/react-query'
import { CircleX } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { Acceptance, InvitationDetails } from '#contract/collaborators.ts'
import { ApiError, serverMessage } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'
import { isTransient } from '#web/api/query-client.ts'
import { usePendingResponse } from '#web/collaborators/mutations.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { useSession } from '#web/identity/session.tsx'
import { NarrowPageLayout } from '#web/identity/sign-in/narrow-page-layout.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import { Card, StageHeading } from '#web/ui/layout/page.tsx'
import { useFoundInvitation } from './found-invitation.ts'
import { InvitationAccepted, InvitationCard, JoinedRedirect } from './invitation-card.tsx'

/** The screen that an invitation link opens. */
export default function InvitationScreen() {
  const { inviteToken = '' } = useParams()
  return (
    <NarrowPageLayout isSteady isAlone>
      <NoIndex />
      <meta name="referrer" content="strict-origin" />
      <Invitation key={inviteToken} inviteToken={inviteToken} />
    </NarrowPageLayout>
  )
}

/** The answer that was given here. The cache loses an accepted invitation with the session, and its link is then invalid. */
type Outcome =
  | { stage: 'accepted'; invitation: InvitationDetails; redirectTo: string }
  | { stage: 'declined' }

function Invitation({ inviteToken }: { inviteToken: string }) {
  const { status } = useSession()
  const first = useFoundInvitation(inviteToken)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  // The link ends with it, even while its response is lost.
  const isDeclining = usePendingResponse(inviteToken) === 'decline'
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
  const isInvalid = (refusal ?? (error instanceof ApiError ? error : null))?.code === 'not_found'
  const isDeclined = outcome?.stage === 'declined' || (isInvalid && isDeclining)
  const ownInvitation = useOwnUsedInvitation(inviteToken, {
    enabled: outcome === null && isInvalid && !isDeclined,
  })
  const failure =
    outcome === null && !isDeclined && ownInvitation.isSettled && !ownInvitation.redirectTo
      ? (refusal ?? error)
      : null
  const message = refusal?.message ?? serverMessage(error)
  // Before the session is known, an invalid link may still turn out to be the user's own accepted invitation.
  useFailureToast(status === 'loading' ? null : failure, message ?? 'Invalid invitation')

  if (outcome?.stage === 'accepted') return <InvitationAccepted {...outcome} />
  if (isDeclined) return <InvitationDeclined />
  if (ownInvitation.redirectTo) return <AlreadyCollaborator redirectTo={ownInvitation.redirectTo} />
  if (failure !== null && !(invitation && isTransient(error))) {
    const retry = isTransient(error) ? { isBusy: isFetching, run: () => void refetch() } : ownInvitation.retry
    return <InvalidInvitation message={message} retry={retry} />
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
      onAccepted={(answer) => setOutcome({ stage: 'accepted', ...asAccepted(invitation, answer) })}
      onDeclined={() => setOutcome({ stage: 'declined' })}
      onClosed={() => refetch()}
    />
  )
}

/** The role of an invitation may have been changed while its page was open. */
function asAccepted(invitation: InvitationDetails, { collaborator, redirectTo }: Acceptance) {
  return { invitation: { ...invitation, role: collaborator.role }, redirectTo }
}

/** Shown to a collaborator who opens the link of an invitation that they accepted before. */
function AlreadyCollaborator({ redirectTo }: { redirectTo: string }) {
  return (
    <JoinedRedirect heading="You are already a collaborator" redirectTo={redirectTo}>
      You accepted this invitation before. You will be taken to the project in a moment.
    </JoinedRedirect>
  )
}

/** Confirms that an invitation was declined. */
function InvitationDeclined() {
  const { status } = useSession()
  return (
    <Card className="p-6 sm:p-8">
      <ScreenTitle>You declined this invitation</ScreenTitle>
      <CircleX className="mb-4 size-8 text-muted" aria-hidden="true" />
      <StageHeading arrived>You declined this invitation</StageHeading>
      <p className="mt-2 text-muted">
        The person who invited you is told. Should you change your mind, ask for a new invitation.
      </p>
      <div className="mt-6">
        {status === 'signed-in' ? (
          <LinkButton to="/collaborations">Go to My Collaborations</LinkButton>
        ) : (
          <LinkButton to="/">Back to Home</LinkButton>
        )}
      </div>
    </Card>
  )
}

const INVALID = 'Invalid Invitation'

type InvalidInvitationProps = {
  /** The server's error message. */
  message: string | undefined
  /** Present if a retry may help. */
  retry: { isBusy: boolean; run: () => void } | null
}

/** The invitation does not exist or could not be loaded. */
function InvalidInvitation({ message, retry }: InvalidInvitationProps) {
  return (
    <>
      <ScreenTitle>{INVALID}</ScreenTitle>
      <EmptyState
        drawing={retry ? 'broken' : 'signpost'}
        heading="h1"
        title={INVALID}
        action={
          <div className="flex flex-wrap gap-2.5">
            <LinkButton to="/">Back to Home</LinkButton>
            {retry && <TryAgain variant="primary" busy={retry.isBusy} onClick={retry.run} />}
          </div>
        }
      >
        {message ?? 'This invitation link is invalid or has expired.'}
      </EmptyState>
    </>
  )
}

/**
 * The details of an invitation. Always sent without a token, because the same call with one accepts it. Refetched on return,
 * because the user may have answered it since.
 */
const invitationQuery = (inviteToken: string) =>
  queryOptions({
    queryKey: ['invitation', inviteToken],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const answer = await request(
        'acceptInvitation',
        { params: { inviteToken } },
        { signal, anonymous: true },
      )
      if (!('requiresAuth' in answer))
        throw new TypeError('A request without a token accepted the invitation')
      return answer
    },
  })

/**
 * Returns the path of the project of an invitation that the user has already accepted; `isSettled` once it is known, or could not be
 * determined; and `retry`.
 * The request sends the token, as accepting does: an invitation that was not found without one cannot be accepted any more, and for
 * the user who accepted it the server returns its project.
 */
function useOwnUsedInvitation(inviteToken: string, { enabled }: { enabled: boolean }) {
  const { status } = useSession()
  const isEnabled = enabled && status === 'signed-in'
  const { data, error, isError, isFetching, refetch } = useQuery({
    queryKey: ['invitation', inviteToken, 'own'],
    queryFn: ({ signal }) => request('acceptInvitation', { params: { inviteToken } }, { signal }),
    enabled: isEnabled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const redirectTo = isEnabled && data && 'redirectTo' in data ? data.redirectTo : null
  const retry = isEnabled && isTransient(error) ? { isBusy: isFetching, run: () => void refetch() } : null
  return { redirectTo, retry, isSettled: !isEnabled || isError || data !== undefined }
}
