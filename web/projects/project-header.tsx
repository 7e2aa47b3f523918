import { Plus, Share2 } from 'lucide-react'
import type { Permissions } from '#contract/permissions.ts'
import type { Project } from '#contract/projects.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { Ring } from '#web/ui/spinner.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { ClampedText } from './clamped-text.tsx'
import { roleIcon } from './role-icon.tsx'

type ProjectHeaderProps = {
  project: Project
  permissions: Permissions
  spinning: boolean
  /** On a phone the title alone, to leave the room to the entries. */
  compact: boolean
  onShare: () => void
  onAddMilestone: () => void
}

/** What the project is, who the reader is in it, and what can be done. */
export function ProjectHeader(props: ProjectHeaderProps) {
  const { project, permissions, spinning, compact, onShare, onAddMilestone } = props
  const { role, isOwner, canEdit } = permissions
  return (
    <PageHeader
      written
      title={project.title}
      beside={spinning && <LoadingRing />}
      compact={compact}
      lede={<ClampedText text={project.description} />}
      actions={
        <>
          <Button icon={<Share2 />} onClick={onShare}>
            Share
          </Button>
          {canEdit && (
            <Button variant="primary" icon={<Plus />} onClick={onAddMilestone}>
              Add Milestone
            </Button>
          )}
        </>
      }
    >
      {role && role !== 'owner' && !isOwner && (
        <Badge tone={role} icon={roleIcon(role)} className="mb-2">
          Collaborator ({role})
        </Badge>
      )}
    </PageHeader>
  )
}

function LoadingRing() {
  return (
    <output className="animate-appear text-accent">
      <Ring className="size-5" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </output>
  )
}
