import { clsx } from 'clsx'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { MilestoneFacts } from '#web/milestones/milestone-facts.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Timeline, TimelineItem } from '#web/ui/layout/timeline.tsx'
import { SHOWN_ANCHOR, worldPath } from '#web/world/paths.ts'
import type { ProjectPage, TimelineMilestone } from './project-page.ts'

/** The anchor of the list of milestones. */
export const MILESTONES_ID = 'milestones'

type PublicMilestonesProps = Pick<ProjectPage, 'milestones' | 'timeline'> & {
  projectId: string
  shownId: string | undefined
}

/** The milestones of a public project around the shown one, as links that work without JavaScript. */
export function PublicMilestones({ projectId, milestones, timeline, shownId }: PublicMilestonesProps) {
  if (milestones.length === 0)
    return (
      <div className="lg:col-span-2">
        <EmptyState title="No milestones yet">
          This project has only just set out. Look in again later.
        </EmptyState>
      </div>
    )
  const { earlier, later } = timeline
  const firstId = timeline.stops[0]?.milestone
  const pathOf = (milestone: string) => worldPath(projectId, milestone === firstId ? {} : { milestone })
  return (
    <nav
      id={MILESTONES_ID}
      aria-labelledby="milestones-title"
      className="lg:sticky lg:top-18 lg:row-start-1 lg:-m-2 lg:max-h-[calc(100dvh-5rem)] lg:self-start lg:overflow-y-auto lg:overscroll-contain lg:p-2 print:static print:max-h-none"
    >
      <h2 id="milestones-title" className="mb-3 text-lg font-semibold">
        Milestones
      </h2>
      {earlier && (
        <FurtherMilestones to={pathOf(earlier.milestone)} count={earlier.count} direction="Earlier" />
      )}
      <Timeline label="Milestones">
        {milestones.map((milestone) => (
          <TimelineItem key={milestone._id} done={milestone.completed} current={milestone._id === shownId}>
            <MilestoneLink
              to={pathOf(milestone._id)}
              milestone={milestone}
              shown={milestone._id === shownId}
            />
          </TimelineItem>
        ))}
      </Timeline>
      {later && <FurtherMilestones to={pathOf(later.milestone)} count={later.count} direction="Later" />}
    </nav>
  )
}

type FurtherMilestonesProps = { to: string; count: number; direction: 'Earlier' | 'Later' }

/** A link to the milestones before or after those that are listed. */
function FurtherMilestones({ to, count, direction }: FurtherMilestonesProps) {
  const Icon = direction === 'Earlier' ? ChevronUp : ChevronDown
  return (
    <Link
      to={`${to}#${MILESTONES_ID}`}
      rel={direction === 'Earlier' ? 'prev' : 'next'}
      data-print="hidden"
      className="my-1 flex min-h-10 items-center gap-2 rounded-lg px-1 text-sm font-semibold text-muted hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
    >
      <Icon className="size-5" aria-hidden="true" />
      {direction} ({count.toLocaleString('en')})
    </Link>
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

/** A marker of the drawing; it may be a link to a milestone, with its title. */
type Stop = { completed: boolean; link?: { to: string; title: string } }

const WIDTH = 420
const HEIGHT = 170
const MARGIN = 34
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

/**
 * A drawing of a project's milestones along a line, which is solid up to the last completed one. It is decorative unless its markers
 * are links.
 */
export function TimelineDrawing({ stops, className }: { stops: readonly Stop[]; className?: string }) {
  const span = WIDTH - 2 * MARGIN
  const positions = stops.map((_, index) =>
    stops.length === 1 ? WIDTH / 2 : MARGIN + (span * index) / (stops.length - 1),
  )
  const reached = stops.findLastIndex(({ completed }) => completed)
  const isFinished = stops.every(({ completed }) => completed)
  const until = isFinished ? WIDTH : (positions[reached] ?? 0)
  const hasLinks = stops.some(({ link }) => link)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      fill="none"
      className={className}
      {...(hasLinks ? { role: 'list', 'aria-label': 'Some of the milestones' } : { 'aria-hidden': true })}
    >
      <path d={line(until, WIDTH)} className="stroke-line" strokeWidth="3" strokeLinecap="round" />
      {reached !== -1 && (
        <path
          d={line(0, until)}
          className={isFinished ? 'stroke-success' : 'stroke-ink'}
          strokeWidth="3"
          strokeLinecap="round"
        />
      )}
      {stops.map(({ completed, link }, index) => {
        const x = positions[index] ?? 0
        const marker = (
          <StopMarker
            key={x}
            x={x}
            completed={completed}
            isLast={index === reached}
            isFinished={isFinished}
          />
        )
        return link ? (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- there is no `li` in a drawing
          <g key={x} role="listitem">
            <Link to={link.to} aria-label={link.title} className="group/stop outline-none">
              <title>{link.title}</title>
              <circle
                cx={x.toFixed(1)}
                cy={heightAt(x).toFixed(1)}
                r="14"
                className="fill-transparent group-hover/stop:fill-hover group-focus-visible/stop:stroke-accent"
                strokeWidth="2.5"
              />
              {marker}
            </Link>
          </g>
        ) : (
          marker
        )
      })}
    </svg>
  )
}

type StopMarkerProps = { x: number; completed: boolean; isLast: boolean; isFinished: boolean }

/** The marker of a stop; the last completed one is larger. */
function StopMarker({ x, completed, isLast, isFinished }: StopMarkerProps) {
  const reached = isLast ? (isFinished ? 'fill-success' : 'fill-accent') : 'fill-ink'
  return (
    <circle
      cx={x.toFixed(1)}
      cy={heightAt(x).toFixed(1)}
      r={isLast ? 11 : 7}
      strokeWidth={completed ? 4 : 2.5}
      className={completed ? `${reached} stroke-surface` : 'fill-surface stroke-edge'}
    />
  )
}
