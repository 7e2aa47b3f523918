import { useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Dialog, DialogBody } from '#web/ui/dialog.tsx'
import { CollaboratorList } from './collaborator-list.tsx'
import { InvitationRecipients } from './invitation-recipients.tsx'
import { InviteForm } from './invite-form.tsx'
import { useInvitationOptions } from './queries.ts'

type ManageDialogProps = { project: Project; onClose: () => void }

/** Where people are invited to a project, given other roles and removed. */
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
