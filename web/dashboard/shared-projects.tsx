import { useId } from 'react'
import { Link } from 'react-router'
import type { Collaboration } from '#contract/collaborators.ts'
import { useSharedProjects } from '#web/collaborators/queries.ts'
import { RoleBadge } from '#web/collaborators/roles.tsx'
import { cardCoverClass, ProjectCover } from '#web/projects/project-cover.tsx'
import { CardLink } from '#web/ui/layout/cards.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { LastEntryLine } from './project-card.tsx'
import { CardGroup } from './project-list.tsx'
import './shared-projects.css'

type SharedProjectsProps = { search: string; now: number }

/** The projects of others that the user has joined; nothing if there are none. A single one fills the row. */
export function SharedProjects({ search, now }: SharedProjectsProps) {
  const { collaborations, hasMore } = useSharedProjects(search)
  if (collaborations.length === 0) return null
  return (
    <CardGroup
      title="Shared with you"
      beside={
        hasMore && (
          <Link
            to="/collaborations"
            className="rounded-sm text-sm font-semibold text-accent hover:text-accent-strong pointer-coarse:py-2"
          >
            View all
          </Link>
        )
      }
    >
      {collaborations.map((collaboration) => (
        <li key={collaboration._id}>
          <SharedProjectCard collaboration={collaboration} now={now} />
        </li>
      ))}
    </CardGroup>
  )
}

function SharedProjectCard({ collaboration, now }: { collaboration: Collaboration; now: number }) {
  const titleId = useId()
  const { project, role, inviter } = collaboration
  return (
    <Card className="shared-card group/card relative flex h-full flex-col p-5 transition-[border-color,box-shadow] focus-within:border-edge hover:border-edge hover:shadow-md">
      <ProjectCover
        projectId={project._id}
        image={project.state?.image}
        tint={project.tint}
        className={cardCoverClass}
      />
      <div>
        <h3 id={titleId} className="line-clamp-2 font-reading text-lg font-medium">
          {project.title}
        </h3>
        <p className="mt-1.5 mb-4 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
          <RoleBadge role={role} />
          <span className="min-w-0">
            by <bdi>{inviter.name}</bdi>
          </span>
        </p>
      </div>
      <div className="mt-auto">
        <LastEntryLine projectId={project._id} lastEntry={project.state?.lastEntry ?? null} now={now} />
      </div>
      <div className="mt-4 flex items-center justify-between gap-3 border-t border-line pt-3 text-sm">
        <CardLink
          to={`/projects/${project._id}`}
          aria-describedby={titleId}
          className="text-muted group-focus-within/card:text-accent group-hover/card:text-accent"
        >
          Open Project
        </CardLink>
        {project.state && <span className="text-faint tabular-nums">{milestonesText(project.state)}</span>}
      </div>
    </Card>
  )
}

type State = NonNullable<Collaboration['project']['state']>

function milestonesText({ completedMilestoneCount, milestoneCount }: State): string {
  if (milestoneCount === 0) return 'No milestones yet'
  return milestoneCount === 1
    ? `${completedMilestoneCount} of 1 milestone`
    : `${completedMilestoneCount} of ${milestoneCount} milestones`
}
