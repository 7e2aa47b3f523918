import { useMutationState } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { InvitedCollaborator } from '#contract/collaborators.ts'
import type { Project } from '#contract/projects.ts'
import { invitingKey } from '#web/collaborators/mutations.ts'
import { useCollaborators, useInvitationOptions } from '#web/collaborators/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog, DialogBody } from '#web/ui/dialogs/dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { useKeepFocus, VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { CollaboratorRow } from './collaborator-row.tsx'
import { InviteForm } from './invite-form.tsx'

type ManageDialogProps = { project: Project; onClose: () => void }

/** The dialog in which collaborators are invited, given other roles and removed. */
export function ManageDialog({ project, onClose }: ManageDialogProps) {
  const { _id: projectId, title } = project
  const options = useInvitationOptions()
  const [askingId, setAskingId] = useState<string | null>(null)

  function closeQuestionFirst(event: KeyboardEvent) {
    if (askingId === null) return
    event.preventDefault()
    setAskingId(null)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      onEscape={closeQuestionFirst}
      title="Manage Collaborators"
      description={
        <span dir="auto" className="line-clamp-2">
          {title}
        </span>
      }
      size="lg"
    >
      <DialogBody>
        <InviteForm projectId={projectId} />
        {options?.mailed === false && (
          <Banner tone="info">
            This server sends no email. After inviting somebody, copy the link of their invitation below and
            pass it on yourself.
          </Banner>
        )}
        <InvitationRecipients projectId={projectId} />
        <CollaboratorList projectId={projectId} askingId={askingId} onAsk={setAskingId} />
      </DialogBody>
    </Dialog>
  )
}

type CollaboratorListProps = {
  projectId: string
  /** The collaborator whose removal is being confirmed. */
  askingId: string | null
  onAsk: (collaboratorId: string | null) => void
}

/** The members and invitees of a project. */
function CollaboratorList({ projectId, askingId, onAsk }: CollaboratorListProps) {
  const { collaborators, isPending, isError, refetch } = useCollaborators(projectId)
  const list = useRef<HTMLElement>(null)
  useKeepFocus(list, collaborators.length)

  function content() {
    if (isPending) return <CollaboratorsSkeleton />
    if (collaborators.length === 0) return <NoCollaborators onRetry={isError ? refetch : undefined} />
    return (
      <ul className="divide-y divide-line border-y border-line">
        {collaborators.map((collaborator) => (
          <CollaboratorRow
            key={collaborator._id}
            projectId={projectId}
            collaborator={collaborator}
            isAsking={collaborator._id === askingId}
            onAsk={(asks) => onAsk(asks ? collaborator._id : null)}
          />
        ))}
      </ul>
    )
  }

  return (
    <section ref={list} tabIndex={-1} aria-labelledby="collaborators" className="outline-none">
      <h3 id="collaborators" className="mb-2 text-sm font-semibold">
        Collaborators
      </h3>
      {content()}
    </section>
  )
}

function NoCollaborators({ onRetry }: { onRetry: (() => Promise<unknown>) | undefined }) {
  return (
    <div className="rounded-lg border border-dashed border-line px-4 py-8 text-center">
      <p className="text-muted">No collaborators yet. Whom you invite appears here.</p>
      {onRetry && (
        <Button className="mt-4" onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </div>
  )
}

function CollaboratorsSkeleton() {
  return (
    <output className="flex flex-col gap-3">
      <VisuallyHidden>Loading collaborators</VisuallyHidden>
      {Array.from({ length: 3 }, (_, index) => (
        <Skeleton key={index} className="h-16" />
      ))}
    </output>
  )
}

/** On a server without email: the accounts that received the latest invitation, so that the inviter can check them. */
function InvitationRecipients({ projectId }: { projectId: string }) {
  const [openedAt] = useState(() => Date.now())
  const [invited] = useMutationState({
    filters: {
      mutationKey: invitingKey(projectId),
      status: 'success',
      predicate: ({ state }) => state.submittedAt >= openedAt,
    },
    select: ({ state }) => state.data as InvitedCollaborator,
  }).slice(-1)
  if (!invited?.recipients) return null
  return (
    <Banner tone="info">
      <Recipients email={invited.email} names={invited.recipients.map(({ name }) => name)} />
    </Banner>
  )
}

function Recipients({ email, names }: { email: string; names: string[] }) {
  if (names.length === 0) {
    return (
      <>
        Nobody with the address <bdi>{email}</bdi> has an account here yet. Only the link reaches them.
      </>
    )
  }
  const [first, ...others] = names
  return (
    <>
      <bdi className="font-semibold">{first}</bdi>
      {others.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and their order is fixed
        <span key={index}>
          {index === others.length - 1 ? ' and ' : ', '}
          <bdi className="font-semibold">{name}</bdi>
        </span>
      ))}{' '}
      {others.length === 0 ? 'has an account' : 'have accounts'} with the address <bdi>{email}</bdi> here, and
      will find this invitation under Collaborations. If that is not whom you mean, remove the invitation.
    </>
  )
}
