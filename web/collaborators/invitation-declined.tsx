import { CircleX } from 'lucide-react'
import { useSession } from '#web/identity/session.tsx'
import { ScreenTitle } from '#web/shell/screen-title.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { StageHeading } from '#web/ui/stage-heading.tsx'

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
