import { Check, Globe } from 'lucide-react'
import { useId } from 'react'
import type { Collaboration } from '#contract/collaborators.ts'
import { ApiError } from '#web/api/api-error.ts'
import { DeclineButton } from '#web/collaborators/decline-button.tsx'
import { isExpired, StatusBadge } from '#web/collaborators/invitations.tsx'
import {
  useAcceptInvitation,
  useDeclineInvitation,
  useLeaveProject,
  usePendingResponse,
} from '#web/collaborators/mutations.ts'
import { RoleBadge } from '#web/collaborators/roles.tsx'
import { ConfirmationEmail } from '#web/identity/emailed-links/confirmation-email.tsx'
import { cardCoverClass, ProjectCover } from '#web/projects/project-cover.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { CardLink } from '#web/ui/layout/cards.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { Time } from '#web/ui/layout/time.tsx'

/** A project that the user is or was invited to, with the role and the possible actions. */
export function CollaborationCard({ collaboration }: { collaboration: Collaboration }) {
  const titleId = useId()
  const { project, role, status, inviter, createdAt, joinedAt } = collaboration
  return (
    <Card
      aria-labelledby={titleId}
      className="relative flex h-full flex-col p-5 pb-3 transition-colors has-[a]:focus-within:border-edge has-[a]:hover:border-edge"
    >
      <ProjectCover
        projectId={project._id}
        image={project.state?.image}
        invitedURL={project.imageURL}
        tint={project.tint}
        className={cardCoverClass}
      />
      {status === 'pending' && !isExpired(collaboration) && (
        <p className="text-sm text-muted">
          <bdi>{inviter.name}</bdi> invites you to
        </p>
      )}
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
        <CollaborationActions collaboration={collaboration} titleId={titleId} />
      </div>
    </Card>
  )
}

type ActionsProps = { collaboration: Collaboration; titleId: string }

/** The actions on a collaboration, by its status. */
export function CollaborationActions({ collaboration, titleId }: ActionsProps) {
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

type AcceptedActionsProps = { collaboration: Collaboration; titleId: string }

/** Opens or leaves a project that the user has joined. */
function AcceptedActions({ collaboration, titleId }: AcceptedActionsProps) {
  const { project } = collaboration
  const { mutate: leave } = useLeaveProject()
  return (
    <div className="flex items-center justify-between gap-3">
      <CardLink to={`/projects/${project._id}`} aria-describedby={titleId} className="text-accent">
        Open Project
      </CardLink>
      <ConfirmButton
        variant="quiet"
        size="sm"
        aria-describedby={titleId}
        className="relative z-10 -mr-2"
        question="Are you sure you want to leave this project?"
        detail={
          <>
            You will no longer be a collaborator on “<bdi>{project.title}</bdi>”. To come back, you need a new
            invitation.
          </>
        }
        verb="Leave"
        onConfirm={() => leave(collaboration)}
      />
    </div>
  )
}

type PendingActionsProps = { inviteToken: string; titleId: string }

/** Accepts or declines an invitation from its card. */
function PendingActions({ inviteToken, titleId }: PendingActionsProps) {
  const acceptance = useAcceptInvitation(inviteToken)
  const declining = useDeclineInvitation(inviteToken)
  // Includes answers from the invitation's other card, above the list or in it.
  const answering = usePendingResponse(inviteToken)
  const fault = acceptance.error ?? declining.error
  return (
    <>
      <div className="flex flex-wrap gap-2.5">
        <Button
          variant="primary"
          size="sm"
          icon={<Check />}
          aria-describedby={titleId}
          className="flex-1"
          disabled={answering === 'decline'}
          busy={answering === 'accept' && !acceptance.isLate}
          onClick={() => acceptance.mutate()}
        >
          Accept
        </Button>
        <DeclineButton
          size="sm"
          describedBy={titleId}
          className="flex-1"
          disabled={answering === 'accept'}
          busy={answering === 'decline' && !declining.isLate}
          onDecline={() => declining.mutate()}
        />
      </div>
      {answering === null && fault instanceof ApiError && fault.code === 'unverified_address' && (
        <div className="mt-3 text-sm text-muted">
          <p>Confirm your email address first, by the link of the email that was sent to it.</p>
          <ConfirmationEmail />
        </div>
      )}
    </>
  )
}
