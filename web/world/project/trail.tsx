import { clsx } from 'clsx'
import { Link } from 'react-router'
import { MilestoneFacts } from '#web/milestones/milestone-facts.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Timeline, TimelineItem } from '#web/ui/layout/timeline.tsx'
import { SHOWN_ANCHOR, worldPath } from '#web/world/paths.ts'
import type { TrailMilestone } from './project-page.ts'

/** The anchor of the list of milestones. */
export const TRAIL_ID = 'milestones'

type TrailProps = { projectId: string; milestones: TrailMilestone[]; shownId: string | undefined }

/** The milestones of a public project, as links that work without JavaScript. */
export function Trail({ projectId, milestones, shownId }: TrailProps) {
  if (milestones.length === 0)
    return (
      <div className="lg:col-span-2">
        <EmptyState title="No milestones yet">
          This project has only just set out. Look in again later.
        </EmptyState>
      </div>
    )
  return (
    <nav
      id={TRAIL_ID}
      aria-labelledby="trail-title"
      className="lg:sticky lg:top-18 lg:row-start-1 lg:-m-2 lg:max-h-[calc(100dvh-5rem)] lg:self-start lg:overflow-y-auto lg:overscroll-contain lg:p-2 print:static print:max-h-none"
    >
      <h2 id="trail-title" className="mb-3 text-lg font-semibold">
        Milestones
      </h2>
      <Timeline label="Milestones">
        {milestones.map((milestone, index) => (
          <TimelineItem key={milestone._id} done={milestone.completed} current={milestone._id === shownId}>
            <TrailLink
              to={worldPath(projectId, index === 0 ? {} : { milestone: milestone._id })}
              milestone={milestone}
              shown={milestone._id === shownId}
            />
          </TimelineItem>
        ))}
      </Timeline>
    </nav>
  )
}

function TrailLink({ to, milestone, shown }: { to: string; milestone: TrailMilestone; shown: boolean }) {
  return (
    <Link
      to={`${to}#${SHOWN_ANCHOR}`}
      aria-current={shown || undefined}
      className={clsx(
        'block rounded-lg border px-4 py-3 transition-colors',
        shown ? 'border-line bg-raised shadow-sm' : 'border-transparent hover:bg-hover',
      )}
    >
      <h3 className="font-reading text-lg/snug font-medium">{milestone.title}</h3>
      <div className="mt-1.5">
        <MilestoneFacts milestone={milestone} />
      </div>
    </Link>
  )
}
