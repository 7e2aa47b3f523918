import { UserMinus } from 'lucide-react'
import type { Collaborator } from '#contract/collaborators.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import { useSession } from '#web/identity/session.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Select } from '#web/ui/select.tsx'
import { InvitationFacts } from './invitation-facts.tsx'
import { useRemoveCollaborator, useUpdateRole } from './mutations.ts'
import { RemovalQuestion } from './removal-question.tsx'
import { RoleBadge } from './role-badge.tsx'
import { roleChoices } from './roles.ts'
import { StatusBadge } from './status-badge.tsx'

type CollaboratorRowProps = {
  projectId: string
  collaborator: Collaborator
  isAsking: boolean
  onAsk: (asks: boolean) => void
}

/** One person of a project, or who is to become one: who they are, their role, and the way to remove them. */
export function CollaboratorRow({ projectId, collaborator, isAsking, onAsk }: CollaboratorRowProps) {
  const { user } = useSession()
  const { mutate: updateRole } = useUpdateRole(projectId)
  const { mutate: remove } = useRemoveCollaborator(projectId)
  const { email, invitee, role, status } = collaborator
  const who = invitee?.name || email
  const isMe = email.toLowerCase() === user?.email.toLowerCase()

  return (
    <li className="flex flex-col gap-2.5 py-3.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <div className="min-w-56 flex-1">
          <p className="flex items-center gap-2">
            <bdi className="min-w-0 truncate font-semibold">{who}</bdi>
            {isMe && <Badge>You</Badge>}
            {status !== 'accepted' && <StatusBadge collaborator={collaborator} />}
          </p>
          {who !== email && <p className="truncate text-sm text-muted">{email}</p>}
        </div>
        <div className="flex flex-1 items-center justify-end gap-2 sm:flex-none">
          {status === 'declined' ? (
            <RoleBadge role={role} />
          ) : (
            <Select
              compact
              className="min-w-32 flex-1 sm:flex-none"
              aria-label={`Role of ${who}`}
              options={roleChoices}
              value={role}
              onChange={({ target }) => updateRole({ collaborator, role: target.value as CollaboratorRole })}
            />
          )}
          <IconButton
            label={`Remove ${who}`}
            icon={<UserMinus />}
            size="sm"
            danger
            onClick={() => onAsk(true)}
          />
        </div>
      </div>
      {status !== 'accepted' && <InvitationFacts projectId={projectId} collaborator={collaborator} />}
      {isAsking && (
        <RemovalQuestion
          {...(isMe && { detail: 'That is you: you will lose access to this project.' })}
          onCancel={() => onAsk(false)}
          onConfirm={() => {
            onAsk(false)
            remove(collaborator)
          }}
        />
      )}
    </li>
  )
}
