import { CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
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
  const navigate = useNavigate()
  const own = ownPath(redirectTo)
  const goal = own ?? '/collaborations'

  useEffect(() => {
    const timer = setTimeout(() => void navigate(goal), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [goal, navigate])

  return (
    <Card className="p-6 sm:p-8">
      <ScreenTitle>Invitation accepted</ScreenTitle>
      <CircleCheck className="mb-4 size-8 text-success" aria-hidden="true" />
      <StageHeading arrived>Invitation accepted</StageHeading>
      <p className="mt-2 text-muted">
        You are now {withArticle(invitation.role)} of{' '}
        <b className="font-semibold break-words text-ink">{invitation.projectTitle}</b>. You will be taken
        there in a moment.
      </p>
      <div className="mt-6">
        <LinkButton to={goal} variant="primary">
          {own === null ? 'Go to My Collaborations' : 'Go to the project now'}
        </LinkButton>
      </div>
    </Card>
  )
}
