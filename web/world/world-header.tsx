import { Globe } from 'lucide-react'
import { Badge } from '#web/ui/badge.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { Time } from '#web/ui/time.tsx'
import type { ProjectPage } from './project-page.ts'

type WorldHeaderProps = Pick<ProjectPage, 'project' | 'milestones'>

/** What the project is, whose it is, and how far along. */
export function WorldHeader({ project, milestones }: WorldHeaderProps) {
  const { title, description, ownerName, createdAt, progress } = project
  const completed = milestones.filter((milestone) => milestone.completed).length
  const reached = `${completed} of ${milestones.length} milestones completed`
  return (
    <header className="mb-12 max-w-reading">
      <Badge tone="success" icon={<Globe aria-hidden="true" />}>
        Public Project
      </Badge>
      <h1 className="mt-4 font-reading text-4xl font-medium tracking-tight">{title}</h1>
      <p className="mt-3 text-lg whitespace-pre-line text-muted">{description}</p>
      <p className="mt-5 text-sm text-muted">
        Created by <bdi className="font-semibold text-ink">{ownerName}</bdi>
        <span className="mx-2" aria-hidden="true">
          ·
        </span>
        begun <Time iso={createdAt} />
      </p>
      {milestones.length > 0 && (
        <div className="mt-5 max-w-md">
          <ProgressBar value={progress} valueText={`${progress}%, ${reached}`} />
          <p className="mt-1 text-sm text-muted">{reached}</p>
        </div>
      )}
    </header>
  )
}
