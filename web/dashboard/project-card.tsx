import { Globe, Pencil, PenLine, Share2, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import type { LastEntry, Project } from '#contract/projects.ts'
import { entryPath } from '#web/entries/paths.ts'
import { DeleteProject, EditProjectDialog, ShareDialog } from '#web/projects/dialogs.ts'
import { cardCoverClass, ProjectCover } from '#web/projects/project-cover.tsx'
import { isUnsaved } from '#web/saving/overlay.ts'
import { DelayNote, SavingNote } from '#web/saving/saving-note.tsx'
import { IconButton } from '#web/ui/controls/button.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { CardLink } from '#web/ui/layout/cards.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { RelativeTime } from '#web/ui/layout/time.tsx'

type ProjectCardProps = {
  project: Project
  /** The level of the card's title. */
  heading: 'h2' | 'h3'
  now: number
  onShare: () => void
  onEdit: () => void
  onDelete: () => void
}

/** A project in the list. The whole card links to it, except for its buttons and its last entry. */
export function ProjectCard(props: ProjectCardProps) {
  const { project, heading: Heading, now } = props
  const titleId = useId()
  const { title, description, isPublic, visibility, progress, milestoneCount, completedMilestoneCount } =
    project
  const completedText = `${completedMilestoneCount} of ${milestoneCount} ${milestoneCount === 1 ? 'milestone' : 'milestones'} completed`
  return (
    <Card className="group/card relative flex h-full flex-col p-5 pb-3 transition-[border-color,box-shadow] focus-within:border-edge hover:border-edge hover:shadow-md">
      <ProjectCover
        projectId={project._id}
        image={project.image}
        tint={project.tint}
        className={cardCoverClass}
      />
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <Heading
          id={titleId}
          className="line-clamp-2 min-w-0 flex-1 basis-28 font-reading text-lg font-medium"
        >
          {title}
        </Heading>
        {isPublic && (
          <Badge icon={<Globe aria-hidden="true" />} className="mt-0.5 shrink-0">
            {visibility === 'unlisted' ? 'Unlisted' : 'Public'}
          </Badge>
        )}
      </div>
      <p className="mt-1.5 mb-5 line-clamp-2 text-sm text-muted">{description}</p>
      <div className="mt-auto flex flex-col gap-3.5">
        {!isUnsaved(project) && (
          <LastEntryLine projectId={project._id} lastEntry={project.lastEntry} now={now} />
        )}
        <ProgressBar
          value={progress}
          steps={milestoneCount}
          label={`Progress of ${title}`}
          valueText={completedText}
        />
      </div>
      <div className="mt-4 flex min-h-12 flex-wrap items-center gap-0.5 border-t border-line pt-3 pointer-coarse:min-h-14">
        {isUnsaved(project) ? (
          <SavingNote thing={project._id} />
        ) : (
          <>
            <CardLink
              to={`/projects/${project._id}`}
              aria-describedby={titleId}
              className="mr-auto text-muted group-focus-within/card:text-accent group-hover/card:text-accent"
            >
              View Details
            </CardLink>
            <DelayNote thing={project._id} />
            <CardActions {...props} />
          </>
        )}
      </div>
    </Card>
  )
}

/** The buttons of a card, always visible. */
function CardActions({ project: { title }, onShare, onEdit, onDelete }: ProjectCardProps) {
  return (
    <div className="relative z-10 -mr-2 flex">
      <IconButton
        label={`Share ${title}`}
        tip="Share"
        icon={<Share2 />}
        size="sm"
        {...ShareDialog.preloadProps}
        onClick={onShare}
      />
      <IconButton
        label={`Edit project ${title}`}
        tip="Edit project"
        icon={<Pencil />}
        size="sm"
        {...EditProjectDialog.preloadProps}
        onClick={onEdit}
      />
      <IconButton
        label={`Delete project ${title}`}
        tip="Delete project"
        icon={<Trash2 />}
        size="sm"
        danger
        {...DeleteProject.preloadProps}
        onClick={onDelete}
      />
    </div>
  )
}

type LastEntryLineProps = { projectId: string; lastEntry: LastEntry | null; now: number }

/** The most recently published entry of a project, and when it was published. */
export function LastEntryLine({ projectId, lastEntry, now }: LastEntryLineProps) {
  if (!lastEntry) return <p className="text-sm text-faint">Nothing written yet</p>
  return (
    <p className="flex items-center gap-2 text-sm">
      <PenLine className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
      <Link
        to={entryPath(projectId, lastEntry)}
        dir="auto"
        className="relative z-10 min-w-0 truncate rounded-sm -my-1 py-1 font-reading hover:text-accent pointer-coarse:-my-2.5 pointer-coarse:py-2.5"
      >
        {lastEntry.title}
      </Link>
      <RelativeTime
        at={lastEntry.publishedAt}
        now={now}
        className="ml-auto shrink-0 whitespace-nowrap text-faint tabular-nums"
      />
    </p>
  )
}
