import { Pencil, Plus, Share2, Users } from 'lucide-react'
import type { Permissions } from '#contract/permissions.ts'
import type { Project } from '#contract/projects.ts'
import { ManageDialog } from '#web/collaborators/dialogs.ts'
import { RoleBadge } from '#web/collaborators/roles.tsx'
import { AddMilestoneDialog } from '#web/milestones/dialogs.ts'
import { EditProjectDialog, ShareDialog } from '#web/projects/dialogs.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Ring } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { PageHeader } from '#web/ui/layout/page.tsx'
import { ClampedText } from './clamped-text.tsx'

type ProjectHeaderProps = {
  project: Project
  permissions: Permissions
  spinning: boolean
  /** On a phone only the title, to leave room for the entries. */
  compact: boolean
  /** The right to change the project's title, description and visibility. */
  canChangeProject: boolean
  onShare: () => void
  onManageCollaborators: () => void
  onEdit: () => void
  onAddMilestone: () => void
}

/** The title and description of a project, the reader's role, and the actions that the role allows. */
export function ProjectHeader(props: ProjectHeaderProps) {
  const { project, permissions, spinning, compact, canChangeProject } = props
  const { onShare, onManageCollaborators, onEdit, onAddMilestone } = props
  const { role, isOwner, canEdit, canManageCollaborators } = permissions
  return (
    <PageHeader
      written
      title={project.title}
      beside={spinning && <LoadingRing />}
      compact={compact}
      lede={<ClampedText text={project.description} />}
      actions={
        <>
          <Button icon={<Share2 />} {...ShareDialog.near} onClick={onShare}>
            Share
          </Button>
          {canManageCollaborators && (
            <Button icon={<Users />} {...ManageDialog.near} onClick={onManageCollaborators}>
              Collaborators
            </Button>
          )}
          {canChangeProject && (
            <Button icon={<Pencil />} {...EditProjectDialog.near} onClick={onEdit}>
              Edit Project
            </Button>
          )}
          {canEdit && (
            <Button variant="primary" icon={<Plus />} {...AddMilestoneDialog.near} onClick={onAddMilestone}>
              Add Milestone
            </Button>
          )}
        </>
      }
    >
      {role && role !== 'owner' && !isOwner && (
        <RoleBadge role={role} className="mb-2">
          Collaborator ({role})
        </RoleBadge>
      )}
    </PageHeader>
  )
}

function LoadingRing() {
  return (
    <output className="animate-appear text-accent" data-print="hidden">
      <Ring className="size-5" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </output>
  )
}
