import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { InvitationDetails } from '#contract/collaborators.ts'
import { ownPath } from '#web/identity/redirect.ts'
import { ScreenTitle } from '#web/shell/screen-title.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { StageHeading } from '#web/ui/stage-heading.tsx'
import { withArticle } from './roles.ts'

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
