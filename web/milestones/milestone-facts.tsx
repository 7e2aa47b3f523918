import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Milestone } from '#contract/milestones.ts'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Dot } from '#web/ui/layout/dot.tsx'
import { PlannedDay, Time } from '#web/ui/layout/time.tsx'

type MilestoneFactsProps = {
  milestone: Pick<Milestone, 'completed' | 'entryCount' | 'createdAt' | 'reachedAt'> &
    Partial<Pick<Milestone, 'startsOn' | 'dueOn'>>
  /** Content at the end of the last line. */
  children?: ReactNode
}

/** A milestone's state, number of entries and creation on one line, and below it when it was reached or is planned. */
export function MilestoneFacts({ milestone, children }: MilestoneFactsProps) {
  const { completed, entryCount, createdAt, reachedAt, startsOn, dueOn } = milestone
  const isTimed = completed ? reachedAt !== null : Boolean(startsOn || dueOn)
  return (
    <div className="flex flex-col gap-1 text-sm text-muted">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {completed ? (
          <Badge tone="success" icon={<Check aria-hidden="true" />}>
            Completed
          </Badge>
        ) : (
          <Badge>In Progress</Badge>
        )}
        <span className="whitespace-nowrap">
          <span>{entryCount === 1 ? '1 entry' : `${entryCount.toLocaleString('en')} entries`}</span>
          <Dot />
          <Time iso={createdAt} />
        </span>
      </div>
      <div className={clsx('flex items-center', !isTimed && '-mt-1')}>
        {isTimed && <When milestone={milestone} />}
        {children}
      </div>
    </div>
  )
}

/** When a milestone was reached, or is planned. */
function When({
  milestone: { completed, reachedAt, startsOn, dueOn },
}: Pick<MilestoneFactsProps, 'milestone'>) {
  if (completed && reachedAt !== null)
    return (
      <p>
        Reached <Time iso={reachedAt} className="whitespace-nowrap" />
      </p>
    )
  return (
    <p>
      Planned{' '}
      {startsOn && (
        <>
          {dueOn ? '' : 'from '}
          <PlannedDay on={startsOn} className="whitespace-nowrap" />
        </>
      )}
      {startsOn && dueOn ? ' to ' : dueOn ? 'until ' : ''}
      {dueOn && <PlannedDay on={dueOn} className="whitespace-nowrap" />}
    </p>
  )
}
