import type { InvitationDetails } from '#contract/collaborators.ts'
import { ScreenTitle } from '#web/shell/screen-title.tsx'
import { Card } from '#web/ui/card.tsx'
import { InvitationAnswer } from './invitation-answer.tsx'
import { RoleBadge } from './role-badge.tsx'
import { roleRights } from './roles.ts'

type InvitationCardProps = {
  inviteToken: string
  invitation: InvitationDetails
  onAccepted: (redirectTo: string) => void
  onDeclined: () => void
}

/** What one is invited to and as what, and the two answers. */
export function InvitationCard({ inviteToken, invitation, onAccepted, onDeclined }: InvitationCardProps) {
  const { projectTitle, projectDescription, role } = invitation
  return (
    <>
      <ScreenTitle>Invitation</ScreenTitle>
      <h1 className="mb-5 text-center text-2xl font-semibold tracking-tight">
        You are invited to collaborate
      </h1>
      <Card className="p-6 sm:p-8">
        <h2 className="font-reading text-xl font-medium break-words">{projectTitle}</h2>
        <p className="mt-2 line-clamp-6 whitespace-pre-line text-muted">{projectDescription}</p>
        <div className="mt-5 border-t border-line pt-5">
          <p className="flex items-center gap-2 text-sm font-semibold">
            Your role: <RoleBadge role={role} />
          </p>
          <p className="mt-1.5 text-sm text-muted">{roleRights[role]}</p>
        </div>
        <InvitationAnswer inviteToken={inviteToken} onAccepted={onAccepted} onDeclined={onDeclined} />
      </Card>
    </>
  )
}
