import { Check } from 'lucide-react'
import type { Milestone } from '#contract/milestones.ts'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Time } from '#web/ui/layout/time.tsx'

type Facts = Pick<Milestone, 'completed' | 'entryCount' | 'createdAt'>

/** A milestone's state, its number of entries and its date. */
export function MilestoneFacts({ milestone: { completed, entryCount, createdAt } }: { milestone: Facts }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      {completed ? (
        <Badge tone="success" icon={<Check aria-hidden="true" />}>
          Completed
        </Badge>
      ) : (
        <Badge>In Progress</Badge>
      )}
      <span>{entryCount === 1 ? '1 entry' : `${entryCount.toLocaleString('en')} entries`}</span>
      <Time iso={createdAt} />
    </div>
  )
}
