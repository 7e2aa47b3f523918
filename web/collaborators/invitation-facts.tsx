import { Send } from 'lucide-react'
import type { Collaborator } from '#contract/collaborators.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Time } from '#web/ui/time.tsx'
import { invitationLink, isExpired } from './invitations.ts'
import { useInvite } from './mutations.ts'

type InvitationFactsProps = { projectId: string; collaborator: Collaborator }

/** Who invited somebody and until when, and the link to pass on; or, once that is over, the way to invite again. */
export function InvitationFacts({ projectId, collaborator }: InvitationFactsProps) {
  const { inviter, status, expiresAt, inviteToken } = collaborator
  const expired = isExpired(collaborator)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      <p className="flex min-w-0 flex-wrap gap-x-3 text-sm text-muted">
        <span className="min-w-0">
          Invited by <bdi>{inviter.name}</bdi>
        </span>
        {status === 'pending' && expiresAt !== null && (
          <span>
            {expired ? 'Expired' : 'Expires'} <Time iso={expiresAt} />
          </span>
        )}
      </p>
      {status === 'pending' && !expired && inviteToken !== undefined && (
        <CopyButton text={invitationLink(window.location.origin, inviteToken)} label="Copy link" />
      )}
      {(status === 'declined' || expired || inviteToken === undefined) && (
        <InviteAgain projectId={projectId} collaborator={collaborator} />
      )}
    </div>
  )
}

function InviteAgain({ projectId, collaborator: { email, role } }: InvitationFactsProps) {
  const { mutate, isPending } = useInvite(projectId)
  return (
    <Button size="sm" icon={<Send />} busy={isPending} onClick={() => mutate({ email, role })}>
      Invite again
    </Button>
  )
}
