import { ArrowRight, Globe, Pencil, Share2, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { Project } from '#contract/projects.ts'
import { isTemporary } from '#web/api/optimistic.ts'
import { CreateProjectDialog, DeleteProject, EditProjectDialog, ShareDialog } from '#web/projects/dialogs.ts'
import type { useMyProjects } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, Spinner } from '#web/ui/feedback/loading.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Card } from '#web/ui/layout/page.tsx'

const gridClass = 'grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3'

type ProjectListProps = {
  query: ReturnType<typeof useMyProjects>
  term: string
  onClearTerm: () => void
  onCreate: () => void
  renderCard: (project: Project) => ReactNode
}

/** The projects as cards, or the skeleton, the failure or the empty state. */
export function ProjectList({ query, term, onClearTerm, onCreate, renderCard }: ProjectListProps) {
  if (query.isPending) return <ProjectsSkeleton />
  if (!query.data) {
    return (
      <EmptyState
        title="Your projects could not be fetched"
        action={<Button onClick={() => void query.refetch()}>Try Again</Button>}
      >
        They are safe on the server; only the way there failed.
      </EmptyState>
    )
  }
  if (query.data.length === 0) {
    return (
      <EmptyState
        action={
          <Button variant="primary" {...CreateProjectDialog.near} onClick={onCreate}>
            Create Project
          </Button>
        }
      >
        You don't have any projects yet. Create your first project to get started!
      </EmptyState>
    )
  }
  const found = matching(query.data, term)
  if (found.length === 0) {
    return (
      <EmptyState action={<Button onClick={onClearTerm}>Clear Search</Button>}>
        No projects found matching "{term}"
      </EmptyState>
    )
  }
  return (
    <ul className={gridClass}>
      {found.map((project) => (
        <li key={project._id}>{renderCard(project)}</li>
      ))}
    </ul>
  )
}

function ProjectsSkeleton() {
  return (
    <div className={gridClass}>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="h-52 rounded-lg" />
      ))}
    </div>
  )
}

type Searchable = { title: string; description: string }

/** Returns what contains the term in its title or description, ignoring case; a blank term matches everything. */
export function matching<T extends Searchable>(list: readonly T[], term: string): readonly T[] {
  const wanted = term.trim().toLowerCase()
  if (wanted === '') return list
  return list.filter(
    ({ title, description }) =>
      title.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
  )
}

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
