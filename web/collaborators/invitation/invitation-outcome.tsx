import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { InvitationDetails } from '#contract/collaborators.ts'
import { withArticle } from '#web/collaborators/roles.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { ownPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { StageHeading } from '#web/ui/stage-heading.tsx'

const REDIRECT_MS = 3000

type InvitationAcceptedProps = { invitation: InvitationDetails; redirectTo: string }

/** Says that one is in, and goes on by itself after three seconds. */
export function InvitationAccepted({ invitation, redirectTo }: InvitationAcceptedProps) {
  return (
    <Joined heading="Invitation accepted" redirectTo={redirectTo}>
      You are now {withArticle(invitation.role)} of{' '}
      <b className="font-semibold break-words text-ink">{invitation.projectTitle}</b>. You will be taken there
      in a moment.
    </Joined>
  )
}

/** Says to somebody who opened the link of an invitation that they accepted before that they are in. */
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

/** Says that the invitation is no more. */
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
  /** What the server said of it. */
  message: string | undefined
  /** Where asking again may help. */
  again: { isBusy: boolean; run: () => void } | null
}

/** The link leads nowhere, or it could not be found out where. */
export function InvalidInvitation({ message, again }: InvalidInvitationProps) {
  return (
    <>
      <ScreenTitle>{INVALID}</ScreenTitle>
      <EmptyState
        heading="h1"
        title={INVALID}
        action={
          <div className="flex gap-2.5">
            <LinkButton to="/">Back to Home</LinkButton>
            {again && (
              <Button variant="primary" busy={again.isBusy} onClick={again.run}>
                Try again
              </Button>
            )}
          </div>
        }
      >
        {message ?? 'This invitation link is invalid or has expired.'}
      </EmptyState>
    </>
  )
}
