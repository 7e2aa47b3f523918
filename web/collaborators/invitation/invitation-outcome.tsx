import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { InvitationDetails } from '#contract/collaborators.ts'
import { withArticle } from '#web/collaborators/roles.tsx'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { ownPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Card, StageHeading } from '#web/ui/layout/page.tsx'

const REDIRECT_MS = 3000

type InvitationAcceptedProps = { invitation: InvitationDetails; redirectTo: string }

/** Confirms that an invitation was accepted, and navigates to the project after three seconds. */
export function InvitationAccepted({ invitation, redirectTo }: InvitationAcceptedProps) {
  return (
    <Joined heading="Invitation accepted" redirectTo={redirectTo}>
      You are now {withArticle(invitation.role)} of{' '}
      <b className="font-semibold break-words text-ink">{invitation.projectTitle}</b>. You will be taken there
      in a moment.
    </Joined>
  )
}

/** Shown to a collaborator who opens the link of an invitation that they accepted before. */
export function AlreadyCollaborator({ redirectTo }: { redirectTo: string }) {
  return (
    <Joined heading="You are already a collaborator" redirectTo={redirectTo}>
      You accepted this invitation before. You will be taken to the project in a moment.
    </Joined>
  )
}

type JoinedProps = { heading: string; redirectTo: string; children: ReactNode }

function Joined({ heading, redirectTo, children }: JoinedProps) {
  const navigate = useNavigate()
  const own = ownPath(redirectTo)
  const goal = own ?? '/collaborations'

  useEffect(() => {
    const timer = setTimeout(() => void navigate(goal), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [goal, navigate])

  return (
    <Card className="p-6 sm:p-8">
      <ScreenTitle>{heading}</ScreenTitle>
      <CircleCheck className="mb-4 size-8 text-success" aria-hidden="true" />
      <StageHeading arrived>{heading}</StageHeading>
      <p className="mt-2 text-muted">{children}</p>
      <div className="mt-6">
        <LinkButton to={goal} variant="primary">
          {own === null ? 'Go to My Collaborations' : 'Go to the project now'}
        </LinkButton>
      </div>
    </Card>
  )
}

/** Confirms that an invitation was declined. */
export function InvitationDeclined() {
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
  /** Set where a retry may help. */
  retry: { isBusy: boolean; run: () => void } | null
}

/** The invitation does not exist or could not be loaded. */
export function InvalidInvitation({ message, retry }: InvalidInvitationProps) {
  return (
    <>
      <ScreenTitle>{INVALID}</ScreenTitle>
      <EmptyState
        drawing={retry ? 'broken' : 'signpost'}
        heading="h1"
        title={INVALID}
        action={
          <div className="flex gap-2.5">
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
