import { ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Milestone } from '#contract/milestones.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useDialogs, useReopenedForm } from '#web/forms/use-dialogs.ts'
import { isUnsaved } from '#web/saving/overlay.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Timeline, TimelineItem } from '#web/ui/layout/timeline.tsx'
import { DeleteMilestone, EditMilestoneDialog, MoveDialog } from './dialogs.ts'
import { CompletionToggle, MilestoneCard, milestoneLinkId } from './milestone-card.tsx'
import { useMilestoneWindow } from './milestone-window.ts'
import { useDrag } from './order/use-drag.ts'
import { useOrder } from './order/use-order.ts'

type MilestoneTimelineProps = {
  projectId: string
  milestones: readonly Milestone[]
  selectedId: string | undefined
  /** Returns the link to the entries of a milestone. */
  pathTo: (milestone: Milestone) => string
  canEdit: boolean
  /** Starts an entry of a milestone. */
  onWrite: (milestone: Milestone) => void
}

/** The milestones of a project, with their actions. */
export function MilestoneTimeline(props: MilestoneTimelineProps) {
  const { projectId, milestones, selectedId, pathTo, canEdit, onWrite } = props
  const actions = useActions(props)
  const order = useOrder(projectId, milestones)
  const range = useMilestoneWindow(order.shown, order.moving?.id ?? selectedId)
  const { shown, earlier, later, showEarlier, showLater } = range
  const drag = useDrag({
    onStart(index) {
      const milestone = canEdit ? shown[index] : undefined
      if (!milestone || isUnsaved(milestone)) return false
      order.start(milestone._id, 'drag')
      return true
    },
    onMove: (index) => order.moveTo(earlier + index),
    onDrop: order.drop,
    onCancel: order.cancel,
  })
  useFocusReturn(selectedId)

  return (
    <div tabIndex={-1} className="outline-none" {...drag}>
      <p aria-live="assertive" className="sr-only">
        {order.spoken}
      </p>
      <ShowMore
        label="Show earlier"
        icon={<ChevronUp aria-hidden="true" />}
        count={earlier}
        onShow={showEarlier}
        next={milestones[earlier - 1]}
      />
      <Timeline label="Milestones">
        {shown.map((milestone) => (
          <TimelineItem
            key={milestone._id}
            done={milestone.completed}
            current={milestone._id === selectedId}
            control={
              canEdit &&
              !isUnsaved(milestone) && (
                <CompletionToggle
                  milestone={milestone}
                  current={milestone._id === selectedId}
                  onWrite={() => onWrite(milestone)}
                />
              )
            }
          >
            <MilestoneCard
              milestone={milestone}
              to={pathTo(milestone)}
              selected={milestone._id === selectedId}
              canEdit={canEdit}
              order={order}
              actions={actions}
            />
          </TimelineItem>
        ))}
      </Timeline>
      <ShowMore
        label="Show later"
        icon={<ChevronDown aria-hidden="true" />}
        count={later}
        onShow={showLater}
        next={milestones[earlier + shown.length]}
      />
      {actions.dialogs}
    </div>
  )
}

/** What opens a dialog about a milestone, and the open dialogs. */
function useActions({ projectId, milestones, canEdit }: MilestoneTimelineProps) {
  const edits = useDialogs<Milestone>()
  const [toDelete, setToDelete] = useState<Milestone | null>(null)
  const [toMove, setToMove] = useState<Milestone | null>(null)
  useReopenedForm((wasInterrupted) => {
    const milestone = canEdit && milestones.find((one) => wasInterrupted(formNames.milestone(one)))
    if (milestone) edits.open(milestone)
    return Boolean(milestone)
  })
  const dialogs = (
    <>
      {edits.dialogs.map(({ key, subject }) => (
        <EditMilestoneDialog key={key} milestone={subject} onClose={() => edits.close(key)} />
      ))}
      {toMove && <MoveDialog milestone={toMove} onClose={() => setToMove(null)} />}
      {toDelete && (
        <DeleteMilestone projectId={projectId} milestone={toDelete} onClose={() => setToDelete(null)} />
      )}
    </>
  )
  return { edit: edits.open, remove: setToDelete, moveTo: setToMove, dialogs }
}

type ShowMoreProps = {
  label: string
  icon: ReactNode
  count: number
  onShow: () => void
  /** The milestone next to what is shown. It is focused, because the button may be gone. */
  next: Milestone | undefined
}

function ShowMore({ label, icon, count, onShow, next }: ShowMoreProps) {
  function show() {
    flushSync(onShow)
    if (next) document.getElementById(milestoneLinkId(next._id))?.focus()
  }

  if (count === 0) return null
  return (
    <Button variant="quiet" size="sm" icon={icon} onClick={show}>
      {label} ({count.toLocaleString('en')})
    </Button>
  )
}

/** On a phone the entries replace the timeline. On returning, focuses the milestone that was selected. */
function useFocusReturn(selectedId: string | undefined) {
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
