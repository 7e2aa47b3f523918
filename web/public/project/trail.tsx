import { ChevronDown, ChevronUp } from 'lucide-react'
import { publicPath, SHOWN_ANCHOR } from '#web/public/paths.ts'
import { Link } from '#web/ui/controls/link.tsx'
import { Summary } from '#web/ui/controls/summary.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { counted } from '#web/ui/layout/counted.ts'
import { Dot } from '#web/ui/layout/dot.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { Marker } from '#web/ui/layout/timeline.tsx'
import type { ProjectPage, TimelineMilestone } from './project-page.ts'

/** The anchor of the list of milestones. */
const TRAIL_ID = 'milestones'

type TrailProps = Pick<ProjectPage, 'milestones' | 'timeline'> & {
  projectId: string
  shownId: string | undefined
}

/**
 * The milestones of a public project around the shown one, as links along a line that is solid where it has been walked (`trail.css`). It is
 * beside the story on wide screens, and above it on narrow ones, where it stays in view.
 */
export function Trail({ projectId, milestones, timeline, shownId }: TrailProps) {
  if (milestones.length === 0)
    return (
      <div className="lg:col-span-2">
        <EmptyState title="No milestones yet">
          This project has only just set out. Look in again later.
        </EmptyState>
      </div>
    )
  const { earlier, later, stops } = timeline
  const firstId = stops[0]?.milestone
  const pathOf = (milestone: string) => publicPath(projectId, milestone === firstId ? {} : { milestone })
  const isLong = earlier !== null || later !== null
  return (
    <nav id={TRAIL_ID} aria-labelledby="milestones-title" className="trail">
      <h2 id="milestones-title" className="mb-3 text-lg font-semibold max-lg:sr-only">
        Milestones
      </h2>
      {isLong && <WholeTrail stops={stops} pathOf={pathOf} />}
      <ol>
        {earlier && <Further to={pathOf(earlier.milestone)} count={earlier.count} direction="Earlier" />}
        {milestones.map((milestone) => (
          <Waypoint
            key={milestone._id}
            to={`${pathOf(milestone._id)}#${SHOWN_ANCHOR}`}
            milestone={milestone}
            shown={milestone._id === shownId}
          />
        ))}
        {later && <Further to={pathOf(later.milestone)} count={later.count} direction="Later" />}
      </ol>
    </nav>
  )
}

type WaypointProps = { to: string; milestone: TimelineMilestone; shown: boolean }

function Waypoint({ to, milestone, shown }: WaypointProps) {
  const { title, completed, entryCount, createdAt, reachedAt } = milestone
  return (
    <li data-done={completed || undefined}>
      <Link to={to} aria-current={shown || undefined}>
        <Marker done={completed} current={shown} />
        <h3>{title}</h3>
        <p>
          <span>
            {completed ? 'Completed' : 'In Progress'}
            <Dot />
            {counted(entryCount, 'entry', 'entries')}
          </span>
          <span>
            <Time iso={createdAt} />
            {completed && reachedAt !== null && (
              <span>
                <Dot />
                reached <Time iso={reachedAt} />
              </span>
            )}
          </span>
        </p>
      </Link>
    </li>
  )
}

type FurtherProps = { to: string; count: number; direction: 'Earlier' | 'Later' }

/** A link to the milestones before or after those that are listed. */
function Further({ to, count, direction }: FurtherProps) {
  const Icon = direction === 'Earlier' ? ChevronUp : ChevronDown
  return (
    <li data-print="hidden">
      <Link to={`${to}#${TRAIL_ID}`} rel={direction === 'Earlier' ? 'prev' : 'next'}>
        <Icon className="size-7 p-1 max-lg:-rotate-90" aria-hidden="true" />
        <span className="text-sm font-semibold">
          {direction} ({count.toLocaleString('en')})
        </span>
      </Link>
    </li>
  )
}

type WholeTrailProps = { stops: ProjectPage['timeline']['stops']; pathOf: (milestone: string) => string }

/** Links to milestones at even distances, for projects with more of them than are listed. */
function WholeTrail({ stops, pathOf }: WholeTrailProps) {
  return (
    <details data-print="hidden" className="mb-3 text-sm max-lg:mx-4 max-lg:mb-0">
      <Summary>The whole way</Summary>
      <ul className="max-h-60 overflow-y-auto">
        {stops.map(({ milestone, title }) => (
          <li key={milestone}>
            <Link
              to={`${pathOf(milestone)}#${SHOWN_ANCHOR}`}
              dir="auto"
              className="block truncate rounded-sm py-1.5 hover:text-accent pointer-coarse:py-2.5"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}
