import { useMutationState } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { InvitedCollaborator } from '#contract/collaborators.ts'
import type { Project } from '#contract/projects.ts'
import { invitationLink } from '#web/collaborators/invitations.tsx'
import { useCollaborators, useInvitationOptions } from '#web/collaborators/queries.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { Dialog, DialogBody } from '#web/ui/dialogs/dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { CollaboratorRow } from './collaborator-row.tsx'
import { InviteForm } from './invite-form.tsx'
import { invitingKey } from './mutations.ts'

type ManageDialogProps = { project: Project; onClose: () => void }

/** The dialog in which collaborators are invited, given other roles and removed. */
export function ManageDialog({ project, onClose }: ManageDialogProps) {
  const { _id: projectId, title } = project
  const options = useInvitationOptions()
  const [openedAt] = useState(() => Date.now())
  const [askingId, setAskingId] = useState<string | null>(null)
  const isClosed = useRef(false)

  function close() {
    isClosed.current = true
    onClose()
  }

  function closeQuestionFirst(event: KeyboardEvent) {
    if (askingId === null) return
    event.preventDefault()
    setAskingId(null)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
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
        <InviteForm projectId={projectId} isClosed={isClosed} />
        {options?.mailed === false && <LinkToPassOn projectId={projectId} openedAt={openedAt} />}
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

  function content() {
    if (isPending) return <CollaboratorsSkeleton />
    if (collaborators.length === 0) return <NoCollaborators onRetry={isError ? refetch : undefined} />
    return (
      <ul className="divide-y divide-line border-t border-line">
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
    <section tabIndex={-1} aria-labelledby="collaborators" className="outline-none">
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
      {onRetry && <TryAgain className="mt-4" onClick={() => void onRetry()} />}
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

type LinkToPassOnProps = {
  projectId: string
  /** The time when the dialog was opened: a person may be invited before it is known that the server sends no email. */
  openedAt: number
}

/** On a server without email: the link of the new invitation, which the inviter has to share. */
function LinkToPassOn({ projectId, openedAt }: LinkToPassOnProps) {
  const [invited] = useMutationState({
    filters: {
      mutationKey: invitingKey(projectId),
      status: 'success',
      predicate: ({ state }) => state.submittedAt >= openedAt,
    },
    select: ({ state }) => state.data as InvitedCollaborator,
  }).slice(-1)
  const { data: listed } = useCollaborators(projectId)
  // It may have been withdrawn or answered since.
  const isOpen = !listed || listed.some(({ inviteToken }) => inviteToken === invited?.inviteToken)
  if (invited?.inviteToken === undefined || !isOpen) {
    return (
      <Banner tone="info">
        This server sends no email. Once you have invited somebody, their link is here for you to pass on.
      </Banner>
    )
  }
  const { email, inviteToken, recipients } = invited
  const link = invitationLink(window.location.origin, inviteToken)
  return (
    <section
      aria-label="Invitation link"
      className="flex animate-fade flex-col gap-2.5 rounded-lg border border-accent/40 bg-accent-soft/35 p-4 text-sm"
    >
      <p className="font-semibold">
        Pass this link on to <bdi className="break-words">{email}</bdi>
      </p>
      <div className="flex flex-wrap items-center gap-2.5">
        <code className="min-w-0 flex-1 basis-48 truncate rounded-md border border-line bg-raised px-3 py-2 font-mono text-xs">
          {link}
        </code>
        <CopyButton text={link} label="Copy invitation link" variant="primary" />
      </div>
      <output className="text-muted">
        <Recipients email={email} names={recipients?.map(({ name }) => name)} />
      </output>
    </section>
  )
}

/** Shows the names of the accounts that get an invitation, which are unknown if the response was lost. */
function Recipients({ email, names }: { email: string; names: string[] | undefined }) {
  if (names === undefined) {
    return (
      <>
        It is not known whether somebody with the address <bdi>{email}</bdi> has an account here. Whoever has
        one will find this invitation under Collaborations; everybody else needs the link.
      </>
    )
  }
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
