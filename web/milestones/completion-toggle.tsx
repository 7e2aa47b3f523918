import type { Milestone } from '#contract/milestones.ts'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import { Marker } from '#web/ui/layout/timeline.tsx'
import { useCompleteMilestone } from './mutations.ts'

type CompletionToggleProps = {
  milestone: Milestone
  current: boolean
  /** Begins an entry of the milestone. */
  onWrite: () => void
}

/** The marker of a milestone as a checkbox that completes it, or takes that back. */
export function CompletionToggle({ milestone, current, onWrite }: CompletionToggleProps) {
  const { mutate } = useCompleteMilestone(milestone, onWrite)
  const { title, completed } = milestone
  return (
    <Tooltip text={completed ? 'Mark as in progress' : 'Mark as completed'}>
      <label className="relative flex cursor-pointer rounded-full outline-offset-2 outline-focus after:absolute after:-inset-1.5 after:rounded-full hover:bg-hover has-focus-visible:outline-2 pointer-coarse:after:-inset-2">
        <input
          type="checkbox"
          className="sr-only"
          aria-label={`Complete ${title}`}
          checked={completed}
          onChange={(event) => mutate(event.target.checked)}
        />
        <Marker done={completed} current={current} />
      </label>
    </Tooltip>
  )
}
