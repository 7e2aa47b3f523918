import { Globe } from 'lucide-react'
import { useId } from 'react'
import type { Collaboration } from '#contract/collaborators.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { Time } from '#web/ui/time.tsx'
import { AcceptedActions } from './accepted-actions.tsx'
import { isExpired } from './invitations.ts'
import { PendingActions } from './pending-actions.tsx'
import { RoleBadge } from './role-badge.tsx'
import { StatusBadge } from './status-badge.tsx'

/** A project of somebody else's: what it is, who I am in it, and what can be done. */
export function CollaborationCard({ collaboration }: { collaboration: Collaboration }) {
  const titleId = useId()
  const { project, role, status, inviter, createdAt, joinedAt } = collaboration
  return (
    <Card
      aria-labelledby={titleId}
      className="relative flex h-full flex-col p-5 transition-colors has-[a]:focus-within:border-edge has-[a]:hover:border-edge"
    >
      <h2 id={titleId} className="line-clamp-2 font-reading text-lg font-medium">
        {project.title}
      </h2>
      <p className="mt-1.5 mb-4 line-clamp-2 text-sm text-muted">{project.description}</p>
      <div className="mt-auto flex flex-wrap gap-1.5">
        <RoleBadge role={role} />
        <StatusBadge collaborator={collaboration} />
        {project.isPublic && <Badge icon={<Globe aria-hidden="true" />}>Public</Badge>}
      </div>
      <p className="mt-3 flex flex-wrap gap-x-1.5 text-sm text-muted">
        <span>
          {status === 'accepted' && joinedAt !== null ? (
            <>
              Joined <Time iso={joinedAt} />
            </>
          ) : (
            <>
              Invited <Time iso={createdAt} />
            </>
          )}
        </span>
        <span className="min-w-0">
          by <bdi>{inviter.name}</bdi>
        </span>
      </p>
      <div className="mt-4 flex min-h-12 flex-col justify-center border-t border-line pt-3 pointer-coarse:min-h-14">
        <Actions collaboration={collaboration} titleId={titleId} />
      </div>
    </Card>
  )
}

function Actions({ collaboration, titleId }: { collaboration: Collaboration; titleId: string }) {
  const { status, inviter, inviteToken } = collaboration
  if (status === 'accepted') return <AcceptedActions collaboration={collaboration} titleId={titleId} />
  if (status === 'declined') return <p className="text-sm text-muted">Invitation declined</p>
  if (inviteToken === undefined && !isExpired(collaboration)) {
    return (
      <p className="text-sm text-muted">
        Answer it by the link that you were sent, or ask <bdi>{inviter.name}</bdi> to invite you again.
      </p>
    )
  }
  if (inviteToken === undefined || isExpired(collaboration)) {
    return (
      <p className="text-sm text-muted">
        This invitation can no longer be answered. Ask <bdi>{inviter.name}</bdi> to invite you again.
      </p>
    )
  }
  return <PendingActions inviteToken={inviteToken} titleId={titleId} />
}
