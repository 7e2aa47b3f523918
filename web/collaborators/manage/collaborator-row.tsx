import { useQuery } from '@tanstack/react-query'
import { MailX, Send, UserMinus } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { Collaborator } from '#contract/collaborators.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import { invitationLink, isExpired, StatusBadge } from '#web/collaborators/invitations.tsx'
import { RoleBadge, roleChoices } from '#web/collaborators/roles.tsx'
import { useSession } from '#web/identity/session.tsx'
import { shareLinksQuery } from '#web/shares/queries.ts'
import { Button, IconButton } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Select } from '#web/ui/controls/field.tsx'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'
import { useHistoryLayer } from '#web/ui/dialogs/use-history-layer.ts'
import { Avatar } from '#web/ui/layout/avatar.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { useInviteAgain, useRemoveCollaborator, useUpdateRole } from './mutations.ts'
import { removalDetail } from './removal-detail.ts'

type CollaboratorRowProps = {
  projectId: string
  collaborator: Collaborator
  isAsking: boolean
  onAsk: (asks: boolean) => void
}

/** A collaborator or invitee of a project, with their role and a button that removes them. */
export function CollaboratorRow({ projectId, collaborator, isAsking, onAsk }: CollaboratorRowProps) {
  const { user } = useSession()
  const { mutate: updateRole } = useUpdateRole(projectId)
  const { mutate: remove } = useRemoveCollaborator(projectId)
  const { email, invitee, role, status } = collaborator
  const who = invitee?.name || email
  const isMe = email.toLowerCase() === user?.email.toLowerCase()
  const knowsLinks = role === 'admin' && status === 'accepted'
  const { data: links } = useQuery({ ...shareLinksQuery(projectId), enabled: isAsking && knowsLinks })
  const detail = removalDetail(isMe, knowsLinks ? links : undefined)

  return (
    <li className="flex flex-col gap-2.5 py-3.5">
      <div className="relative flex items-center gap-x-4 max-sm:items-start max-sm:gap-x-0">
        <Avatar name={who} pictureURL={invitee?.pictureURL} className="size-9 text-sm" />
        {/* On a phone the role is below the name and the email. */}
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1.5 max-sm:ml-3">
          <div className="min-w-44 flex-1 max-sm:contents">
            <p className="flex items-center gap-2 max-sm:contents">
              <bdi className="min-w-0 truncate font-semibold max-sm:w-full max-sm:pr-11 max-sm:leading-snug max-sm:whitespace-normal max-sm:wrap-anywhere">
                {who}
              </bdi>
              {isMe && <Badge>You</Badge>}
              {status !== 'accepted' && <StatusBadge collaborator={collaborator} />}
            </p>
            {who !== email && (
              <p className="min-w-0 truncate text-sm text-muted max-sm:basis-full" title={email}>
                {email}
              </p>
            )}
          </div>
          {status === 'declined' ? (
            <RoleBadge role={role} />
          ) : (
            <Select
              compact
              className="w-32"
              aria-label={`Role of ${who}`}
              options={roleChoices}
              value={role}
              onChange={({ target }) => updateRole({ collaborator, role: target.value as CollaboratorRole })}
            />
          )}
        </div>
        <IconButton
          label={`Remove ${who}`}
          icon={<UserMinus />}
          size="sm"
          danger
          className="max-sm:absolute max-sm:top-0 max-sm:right-0"
          onClick={() => onAsk(true)}
        />
      </div>
      {collaborator.undelivered && <Undelivered />}
      {status !== 'accepted' && <InvitationDetails projectId={projectId} collaborator={collaborator} />}
      {isAsking && (
        <RemovalConfirmation
          {...(detail !== '' && { detail })}
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

/** Says that the email of an invitation was refused, and what to do. */
function Undelivered() {
  return (
    <p className="flex items-start gap-2 text-sm text-danger">
      <MailX className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <span>
        The email could not be delivered: the mail server refused the address. Is it right? Then copy the link
        and send it another way. If not, remove the invitation and invite the right one.
      </span>
    </p>
  )
}

type InvitationDetailsProps = { projectId: string; collaborator: Collaborator }

/** The inviter, the expiry and the link of an invitation; after it expired or was declined, a button to invite again. */
function InvitationDetails({ projectId, collaborator }: InvitationDetailsProps) {
  const { inviter, status, expiresAt, inviteToken } = collaborator
  const expired = isExpired(collaborator)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      <p className="flex min-w-0 flex-1 flex-wrap gap-x-3 text-sm text-muted max-sm:basis-40">
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

function InviteAgain({ projectId, collaborator: { email, role } }: InvitationDetailsProps) {
  const { inviteAgain, isSending } = useInviteAgain(projectId, { email, role })
  return (
    <Button size="sm" icon={<Send />} busy={isSending} onClick={inviteAgain}>
      Invite again
    </Button>
  )
}

type RemovalConfirmationProps = { detail?: string; onCancel: () => void; onConfirm: () => void }

/** Asks for confirmation within the row before a collaborator is removed. */
function RemovalConfirmation({ detail, onCancel, onConfirm }: RemovalConfirmationProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const confirm = useFirstPress(onConfirm)
  const cancel = useRef<HTMLButtonElement>(null)
  useHistoryLayer(true, () => {
    onCancel()
    return true
  })

  useEffect(() => {
    const opener = document.activeElement
    cancel.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest' })
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])

  return (
    <div
      ref={box}
      role="alertdialog"
      aria-labelledby={`${id}-question`}
      {...(detail !== undefined && { 'aria-describedby': `${id}-detail` })}
      className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-danger-soft px-3.5 py-3 text-sm"
    >
      <div>
        <p id={`${id}-question`} className="font-semibold">
          Are you sure you want to remove this collaborator?
        </p>
        {detail !== undefined && <p id={`${id}-detail`}>{detail}</p>}
      </div>
      <div className="ml-auto flex gap-2.5">
        <Button ref={cancel} size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="danger" onClick={() => confirm()}>
          Remove
        </Button>
      </div>
    </div>
  )
}
