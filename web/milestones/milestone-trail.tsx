import { clsx } from 'clsx'
import { ChevronDown, ChevronUp, LayoutList } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Dot } from '#web/ui/layout/dot.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { Marker } from '#web/ui/layout/timeline.tsx'
import { useMilestoneWindow } from './milestone-window.ts'
import './trail.css'

type MilestoneTrailProps = {
  milestones: readonly Milestone[]
  selectedId: string | undefined
  /** The progress of the project in percent, and in words. */
  progress: { value: number; text: string }
  pathTo: (milestone: Milestone) => string
  /** The links to the entries of all milestones, and to the timeline with the actions on them. */
  pathToAll: string
  pathToTimeline: string
}

/** The milestones of a project on a phone: a line above the entries that stays in view, to choose between them. */
export function MilestoneTrail(props: MilestoneTrailProps) {
  const { milestones, selectedId, progress, pathTo, pathToAll, pathToTimeline } = props
  const { shown, earlier, later, showEarlier, showLater } = useMilestoneWindow(milestones, selectedId)
  const list = useRef<HTMLOListElement>(null)
  const hasEntries = milestones.some(({ entryCount }) => entryCount > 0)

  useEffect(() => {
    const current = list.current?.querySelector(`[data-milestone="${CSS.escape(selectedId ?? '')}"]`)
    current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [selectedId])

  return (
    <nav aria-labelledby="milestones-title" className="trail" data-print="hidden">
      <VisuallyHidden>
        <h2 id="milestones-title">Milestones</h2>
        <progress aria-label="Progress" aria-valuetext={progress.text} max={100} value={progress.value} />
      </VisuallyHidden>
      <ol ref={list} aria-label="Milestones">
        <Stop to={pathToTimeline} title="Timeline" icon={<LayoutList />}>
          Edit and order
        </Stop>
        {hasEntries && (
          <Stop to={pathToAll} title="All entries" isCurrent={selectedId === undefined}>
            Of all milestones
          </Stop>
        )}
        {earlier > 0 && <Further count={earlier} direction="Earlier" onPress={showEarlier} />}
        {shown.map((milestone) => (
          <Waypoint
            key={milestone._id}
            milestone={milestone}
            to={pathTo(milestone)}
            selected={milestone._id === selectedId}
          />
        ))}
        {later > 0 && <Further count={later} direction="Later" onPress={showLater} />}
      </ol>
    </nav>
  )
}

type WaypointProps = { milestone: Milestone; to: string; selected: boolean }

function Waypoint({ milestone, to, selected }: WaypointProps) {
  const { _id, title, completed, entryCount, createdAt } = milestone
  return (
    <li data-done={completed || undefined} data-milestone={_id}>
      <Link to={to} preventScrollReset aria-current={selected || undefined}>
        <Marker done={completed} current={selected} />
        <h3 dir="auto">{title}</h3>
        <p>
          <span>
            {completed ? 'Completed' : 'In Progress'}
            <Dot />
            {entryCount === 1 ? '1 entry' : `${entryCount.toLocaleString('en')} entries`}
          </span>
          <span>
            <Time iso={createdAt} />
          </span>
        </p>
      </Link>
    </li>
  )
}

type StopProps = { to: string; title: string; icon?: ReactNode; isCurrent?: boolean; children: ReactNode }

/** A stop that is no milestone, before the first one. */
function Stop({ to, title, icon, isCurrent = false, children }: StopProps) {
  return (
    <li data-aside>
      <Link to={to} preventScrollReset aria-current={isCurrent || undefined}>
        {icon ?? <Dots isCurrent={isCurrent} />}
        <h3>{title}</h3>
        <p>{children}</p>
      </Link>
    </li>
  )
}

/** All milestones as one stop. */
function Dots({ isCurrent }: { isCurrent: boolean }) {
  return (
    <svg
      viewBox="0 0 28 28"
      className={clsx('size-7', isCurrent ? 'fill-accent' : 'fill-edge')}
      aria-hidden="true"
    >
      <circle cx="6" cy="14" r="3" />
      <circle cx="14" cy="14" r="3" />
      <circle cx="22" cy="14" r="3" />
    </svg>
  )
}

type FurtherProps = { count: number; direction: 'Earlier' | 'Later'; onPress: () => void }

/** Shows more of a long trail. */
function Further({ count, direction, onPress }: FurtherProps) {
  const Icon = direction === 'Earlier' ? ChevronUp : ChevronDown
  return (
    <li data-aside>
      <button type="button" onClick={onPress}>
        <Icon className="size-7 -rotate-90 p-1" aria-hidden="true" />
        <span className="text-sm font-semibold">
          {direction} ({count.toLocaleString('en')})
        </span>
      </button>
    </li>
  )
}
