import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Milestone } from '#contract/milestones.ts'
import { Badge } from '#web/ui/layout/badge.tsx'
import { PlannedDay, Time } from '#web/ui/layout/time.tsx'

type MilestoneFactsProps = {
  milestone: Pick<Milestone, 'completed' | 'entryCount' | 'createdAt' | 'reachedAt'> &
    Partial<Pick<Milestone, 'startsOn' | 'dueOn'>>
  /** Content at the end of the first line. */
  children?: ReactNode
}

/** A milestone's state and number of entries, and below them the dates of creation and completion. */
export function MilestoneFacts({ milestone, children }: MilestoneFactsProps) {
  const { completed, entryCount, createdAt, reachedAt, startsOn, dueOn } = milestone
  return (
    <div className="flex flex-col gap-1.5 text-sm text-muted">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {completed ? (
          <Badge tone="success" icon={<Check aria-hidden="true" />}>
            Completed
          </Badge>
        ) : (
          <Badge>In Progress</Badge>
        )}
        <span className="whitespace-nowrap">
          {entryCount === 1 ? '1 entry' : `${entryCount.toLocaleString('en')} entries`}
        </span>
        {children}
      </div>
      <p>
        <Time iso={createdAt} className="whitespace-nowrap" />
        {completed && reachedAt !== null && (
          <>
            <span className="mr-0.5 ml-1.5" aria-hidden="true">
              ·
            </span>{' '}
            reached <Time iso={reachedAt} className="whitespace-nowrap" />
          </>
        )}
      </p>
      {(startsOn || dueOn) && (
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
      )}
    </div>
  )
}
