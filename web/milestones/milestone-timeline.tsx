import { useEffect, useRef, useState } from 'react'
import type { Milestone } from '#contract/milestones.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useDialogs } from '#web/forms/use-dialogs.ts'
import { useReopenedForm } from '#web/forms/use-reopened-form.ts'
import { Timeline, TimelineItem } from '#web/ui/timeline.tsx'
import { useKeepFocus } from '#web/ui/use-keep-focus.ts'
import { DeleteMilestone, EditMilestoneDialog } from './dialogs.ts'
import { MilestoneCard, milestoneLinkId } from './milestone-card.tsx'

type MilestoneTimelineProps = {
  projectId: string
  milestones: readonly Milestone[]
  selectedId: string | undefined
  /** Where the entries of a milestone are shown. */
  pathTo: (milestone: Milestone) => string
  canEdit: boolean
}

/** The trail of a project, each milestone with what can be done to it. */
export function MilestoneTimeline({
  projectId,
  milestones,
  selectedId,
  pathTo,
  canEdit,
}: MilestoneTimelineProps) {
  const edits = useDialogs<Milestone>()
  const [toDelete, setToDelete] = useState<Milestone | null>(null)
  const trail = useRef<HTMLDivElement>(null)
  useKeepFocus(trail, milestones.length)
  useReturn(selectedId)

  useReopenedForm((isTheOne) => {
    const milestone = canEdit && milestones.find((one) => isTheOne(formNames.milestone(one)))
    if (milestone) edits.open(milestone)
    return Boolean(milestone)
  })

  return (
    <div ref={trail} tabIndex={-1} className="outline-none">
      <Timeline label="Milestones">
        {milestones.map((milestone) => (
          <TimelineItem key={milestone._id} done={milestone.completed} current={milestone._id === selectedId}>
            <MilestoneCard
              milestone={milestone}
              to={pathTo(milestone)}
              selected={milestone._id === selectedId}
              canEdit={canEdit}
              onEdit={() => edits.open(milestone)}
              onDelete={() => setToDelete(milestone)}
            />
          </TimelineItem>
        ))}
      </Timeline>
      {edits.dialogs.map(({ key, subject }) => (
        <EditMilestoneDialog key={key} milestone={subject} onClose={() => edits.close(key)} />
      ))}
      {toDelete && (
        <DeleteMilestone projectId={projectId} milestone={toDelete} onClose={() => setToDelete(null)} />
      )}
    </div>
  )
}

/** On a phone the entries take the trail's place; from there one comes back to the milestone that one left for. */
function useReturn(selectedId: string | undefined) {
  const previous = useRef(selectedId)

  useEffect(() => {
    const from = previous.current
    previous.current = selectedId
    if (from === undefined || selectedId !== undefined || document.activeElement !== document.body) return
    const link = document.getElementById(milestoneLinkId(from))
    link?.focus({ preventScroll: true })
    link?.scrollIntoView({ block: 'nearest' })
  }, [selectedId])
}
