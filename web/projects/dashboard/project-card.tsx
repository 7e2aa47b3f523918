import { ArrowRight, Globe, Pencil, Share2, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import type { Project } from '#contract/projects.ts'
import { isTemporary } from '#web/api/optimistic.ts'
import { DeleteProject, EditProjectDialog, ShareDialog } from '#web/projects/dialogs.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Card } from '#web/ui/layout/page.tsx'

type ProjectCardProps = {
  project: Project
  onShare: () => void
  onEdit: () => void
  onDelete: () => void
}

/** A project in the list. The whole card links to it, except for its buttons. */
export function ProjectCard({ project, onShare, onEdit, onDelete }: ProjectCardProps) {
  const titleId = useId()
  const { title, description, isPublic, progress, milestoneCount, completedMilestoneCount } = project
  const completedText = `${completedMilestoneCount} of ${milestoneCount} milestones completed`
  return (
    <Card className="relative flex h-full flex-col p-5 transition-colors focus-within:border-edge hover:border-edge">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h2 id={titleId} className="line-clamp-2 min-w-0 flex-1 basis-28 font-reading text-lg font-medium">
          {title}
        </h2>
        {isPublic && (
          <Badge icon={<Globe aria-hidden="true" />} className="mt-0.5 shrink-0">
            Public
          </Badge>
        )}
      </div>
      <p className="mt-1.5 mb-5 line-clamp-2 text-sm text-muted">{description}</p>
      <ProgressBar
        value={progress}
        label={`Progress of ${title}`}
        valueText={completedText}
        className="mt-auto"
      />
      <div className="mt-4 flex min-h-12 flex-wrap items-center gap-0.5 border-t border-line pt-3 pointer-coarse:min-h-14">
        {isTemporary(project) ? (
          <Spinner label="Saving…" />
        ) : (
          <>
            <Link
              to={`/projects/${project._id}`}
              aria-describedby={titleId}
              className="mr-auto inline-flex items-center gap-1.5 rounded-sm text-sm font-semibold text-accent after:absolute after:inset-0 after:rounded-lg hover:text-accent-strong"
            >
              View Details
              <ArrowRight className="size-4" aria-hidden="true" />
            </Link>
            <div className="relative z-10 -mr-2 flex">
              <IconButton
                label={`Share ${title}`}
                icon={<Share2 />}
                size="sm"
                {...ShareDialog.near}
                onClick={onShare}
              />
              <IconButton
                label={`Edit project ${title}`}
                icon={<Pencil />}
                size="sm"
                {...EditProjectDialog.near}
                onClick={onEdit}
              />
              <IconButton
                label={`Delete project ${title}`}
                icon={<Trash2 />}
                size="sm"
                danger
                {...DeleteProject.near}
                onClick={onDelete}
              />
            </div>
          </>
        )}
      </div>
    </Card>
  )
}
