import { clsx } from 'clsx'
import { Link } from 'react-router'
import { MilestoneFacts } from '#web/milestones/milestone-facts.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Timeline, TimelineItem } from '#web/ui/layout/timeline.tsx'
import { SHOWN_ANCHOR, worldPath } from '#web/world/paths.ts'
import type { TimelineMilestone } from './project-page.ts'

/** The anchor of the list of milestones. */
export const MILESTONES_ID = 'milestones'

type PublicMilestonesProps = {
  projectId: string
  milestones: TimelineMilestone[]
  shownId: string | undefined
}

/** The milestones of a public project, as links that work without JavaScript. */
export function PublicMilestones({ projectId, milestones, shownId }: PublicMilestonesProps) {
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
      id={MILESTONES_ID}
      aria-labelledby="milestones-title"
      className="lg:sticky lg:top-18 lg:row-start-1 lg:-m-2 lg:max-h-[calc(100dvh-5rem)] lg:self-start lg:overflow-y-auto lg:overscroll-contain lg:p-2 print:static print:max-h-none"
    >
      <h2 id="milestones-title" className="mb-3 text-lg font-semibold">
        Milestones
      </h2>
      <Timeline label="Milestones">
        {milestones.map((milestone, index) => (
          <TimelineItem key={milestone._id} done={milestone.completed} current={milestone._id === shownId}>
            <MilestoneLink
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

function MilestoneLink({
  to,
  milestone,
  shown,
}: {
  to: string
  milestone: TimelineMilestone
  shown: boolean
}) {
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

type Stop = { completed: boolean }

const WIDTH = 420
const HEIGHT = 170
const MARGIN = 34
/** The maximum number of markers in the drawing; more milestones are sampled evenly. */
const STOPS_MAX = 14

/** Returns the y coordinate of the line at an x coordinate: it climbs as on share pictures. */
const heightAt = (x: number) => {
  const way = x / WIDTH
  return 128 - 86 * way - 15 * Math.sin(way * Math.PI * 2)
}

function line(from: number, to: number): string {
  const steps = Math.max(2, Math.round((to - from) / 12))
  const points = Array.from({ length: steps + 1 }, (_, index) => from + ((to - from) * index) / steps)
  return points
    .map((x, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${heightAt(x).toFixed(1)}`)
    .join('')
}

/** Returns at most `STOPS_MAX` markers; one of them is completed if all milestones that it represents are. */
function selected(stops: readonly Stop[]): readonly Stop[] {
  if (stops.length <= STOPS_MAX) return stops
  return Array.from({ length: STOPS_MAX }, (_, index) => {
    const [from, to] = [index, index + 1].map((end) => Math.floor((end * stops.length) / STOPS_MAX))
    return { completed: stops.slice(from, to).every(({ completed }) => completed) }
  })
}

/** A decorative drawing of a project's milestones along a line, which is solid up to the last completed one. */
export function TimelineDrawing({
  milestones,
  className,
}: {
  milestones: readonly Stop[]
  className?: string
}) {
  const stops = selected(milestones)
  const span = WIDTH - 2 * MARGIN
  const positions = stops.map((_, index) =>
    stops.length === 1 ? WIDTH / 2 : MARGIN + (span * index) / (stops.length - 1),
  )
  const reached = stops.findLastIndex(({ completed }) => completed)
  const isFinished = stops.every(({ completed }) => completed)
  const until = isFinished ? WIDTH : (positions[reached] ?? 0)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} fill="none" className={className} aria-hidden="true">
      <path d={line(until, WIDTH)} className="stroke-line" strokeWidth="3" strokeLinecap="round" />
      {reached !== -1 && (
        <path
          d={line(0, until)}
          className={isFinished ? 'stroke-success' : 'stroke-ink'}
          strokeWidth="3"
          strokeLinecap="round"
        />
      )}
      {stops.map(({ completed }, index) => {
        const x = positions[index] ?? 0
        const isLast = index === reached
        const face = completed
          ? isLast
            ? isFinished
              ? 'fill-success stroke-surface'
              : 'fill-accent stroke-surface'
            : 'fill-ink stroke-surface'
          : 'fill-surface stroke-edge'
        return (
          <circle
            key={x}
            cx={x.toFixed(1)}
            cy={heightAt(x).toFixed(1)}
            r={isLast ? 11 : 7}
            strokeWidth={completed ? 4 : 2.5}
            className={face}
          />
        )
      })}
    </svg>
  )
}
