import { clsx } from 'clsx'
import { ChevronDown, ChevronUp, GripVertical, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useDialogs, useReopenedForm } from '#web/forms/use-dialogs.ts'
import { isUnsaved } from '#web/saving/overlay.ts'
import { DelayNote, SavingNote } from '#web/saving/saving-note.tsx'
import { Button, IconButton } from '#web/ui/controls/button.tsx'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { Marker, Timeline, TimelineItem } from '#web/ui/layout/timeline.tsx'
import { MilestoneFacts } from './milestone-facts.tsx'
import { useMilestoneWindow } from './milestone-window.ts'
import { useCompleteMilestone } from './mutations.ts'
import { MoveTools } from './order/move-tools.tsx'
import { useDrag } from './order/use-drag.ts'
import { moveButtonId, useOrder } from './order/use-order.ts'

const EditMilestoneDialog = dialogOnDemand(
  async () => (await import('./milestone-dialog.tsx')).EditMilestoneDialog,
)
const MoveDialog = dialogOnDemand(async () => (await import('./order/move-dialog.tsx')).MoveDialog)
const DeleteMilestone = dialogOnDemand(async () => (await import('./delete-milestone.tsx')).DeleteMilestone)

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
export function MilestoneTimeline({
  projectId,
  milestones,
  selectedId,
  pathTo,
  canEdit,
  onWrite,
}: MilestoneTimelineProps) {
  const edits = useDialogs<Milestone>()
  const [toDelete, setToDelete] = useState<Milestone | null>(null)
  const [toMove, setToMove] = useState<Milestone | null>(null)
  const order = useOrder(projectId, milestones)
  const { moving } = order
  const range = useMilestoneWindow(order.shown, moving?.id ?? selectedId)
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

  /** Shows more, and focuses what is next to what was shown, because the button may be gone. */
  function showMore(show: () => void, next: Milestone | undefined) {
    flushSync(show)
    if (next) document.getElementById(milestoneLinkId(next._id))?.focus()
  }

  useReopenedForm((wasInterrupted) => {
    const milestone = canEdit && milestones.find((one) => wasInterrupted(formNames.milestone(one)))
    if (milestone) edits.open(milestone)
    return Boolean(milestone)
  })

  return (
    <div tabIndex={-1} className="outline-none" {...drag}>
      <p aria-live="assertive" className="sr-only">
        {order.spoken}
      </p>
      {earlier > 0 && (
        <Button
          variant="quiet"
          size="sm"
          icon={<ChevronUp aria-hidden="true" />}
          onClick={() => showMore(showEarlier, milestones[earlier - 1])}
        >
          Show earlier ({earlier.toLocaleString('en')})
        </Button>
      )}
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
              onMoveTo={() => setToMove(milestone)}
              onEdit={() => edits.open(milestone)}
              onDelete={() => setToDelete(milestone)}
            />
          </TimelineItem>
        ))}
      </Timeline>
      {later > 0 && (
        <Button
          variant="quiet"
          size="sm"
          icon={<ChevronDown aria-hidden="true" />}
          onClick={() => showMore(showLater, milestones[earlier + shown.length])}
        >
          Show later ({later.toLocaleString('en')})
        </Button>
      )}
      {edits.dialogs.map(({ key, subject }) => (
        <EditMilestoneDialog key={key} milestone={subject} onClose={() => edits.close(key)} />
      ))}
      {toMove && <MoveDialog milestone={toMove} onClose={() => setToMove(null)} />}
      {toDelete && (
        <DeleteMilestone projectId={projectId} milestone={toDelete} onClose={() => setToDelete(null)} />
      )}
    </div>
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

type MilestoneCardProps = {
  milestone: Milestone
  /** The link to its entries. */
  to: string
  selected: boolean
  canEdit: boolean
  order: ReturnType<typeof useOrder>
  onMoveTo: () => void
  onEdit: () => void
  onDelete: () => void
}

const milestoneLinkId = (milestoneId: string) => `milestone-${milestoneId}`

/** A milestone on the timeline. The whole card links to its entries, except for its buttons. */
function MilestoneCard(props: MilestoneCardProps) {
  const { milestone, to, selected, canEdit, order, onMoveTo } = props
  const { title } = milestone
  const isSaving = isUnsaved(milestone)
  const isMoving = order.moving?.id === milestone._id
  return (
    <Card
      className={clsx(
        'group/card relative px-4 py-3 transition-colors',
        selected ? 'border-accent! bg-accent-soft/45!' : 'hover:border-edge',
        isMoving && 'z-20 border-focus! shadow-lg! outline-2 outline-focus',
        canEdit && 'pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none]',
      )}
      onKeyDown={isMoving ? order.onKeyDown : undefined}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isMoving && relatedTarget && !currentTarget.contains(relatedTarget)) order.drop()
      }}
    >
      <h3 className="font-reading text-lg/snug font-medium">
        {isSaving ? (
          title
        ) : (
          <Link
            id={milestoneLinkId(milestone._id)}
            to={to}
            preventScrollReset
            aria-current={selected || undefined}
            className="rounded-sm after:absolute after:inset-0 after:rounded-lg"
          >
            {title}
          </Link>
        )}
      </h3>
      <div className="mt-1.5">
        {isSaving ? (
          <SavingNote thing={milestone._id} />
        ) : (
          <>
            <MilestoneFacts milestone={milestone}>{canEdit && <CardActions {...props} />}</MilestoneFacts>
            <DelayNote thing={milestone._id} />
          </>
        )}
      </div>
      {isMoving && order.moving?.by === 'keys' && <MoveTools order={order} onMoveTo={onMoveTo} />}
      {selected && <p className="mt-2 text-sm font-medium text-accent">Currently viewing this milestone</p>}
    </Card>
  )
}

/** The buttons of a card: in its corner on hover and focus, and beside its facts on touch devices. */
function CardActions({ milestone: { _id, title }, order, onEdit, onDelete }: MilestoneCardProps) {
  const isMoving = order.moving?.id === _id
  return (
    <div className="absolute top-2 right-2 z-10 flex rounded-md bg-raised opacity-0 shadow-sm transition-opacity group-focus-within/card:opacity-100 group-hover/card:opacity-100 pointer-coarse:static pointer-coarse:-my-3 pointer-coarse:-mr-3 pointer-coarse:ml-auto pointer-coarse:bg-transparent pointer-coarse:opacity-100 pointer-coarse:shadow-none">
      <IconButton
        id={moveButtonId(_id)}
        data-grip
        label={`Move milestone ${title}`}
        tip="Move milestone: drag, or press"
        icon={<GripVertical />}
        size="sm"
        aria-pressed={isMoving}
        className="cursor-grab touch-none aria-pressed:bg-hover aria-pressed:text-ink"
        {...MoveDialog.preloadProps}
        onClick={() => (isMoving ? order.drop() : order.start(_id, 'keys'))}
      />
      <IconButton
        label={`Edit milestone ${title}`}
        tip="Edit milestone"
        icon={<Pencil />}
        size="sm"
        {...EditMilestoneDialog.preloadProps}
        onClick={onEdit}
      />
      <IconButton
        label={`Delete milestone ${title}`}
        tip="Delete milestone"
        icon={<Trash2 />}
        size="sm"
        danger
        {...DeleteMilestone.preloadProps}
        onClick={onDelete}
      />
    </div>
  )
}

type CompletionToggleProps = {
  milestone: Milestone
  current: boolean
  /** Starts an entry of the milestone. */
  onWrite: () => void
}

/** The marker of a milestone as a checkbox that completes or reopens it. */
function CompletionToggle({ milestone, current, onWrite }: CompletionToggleProps) {
  const complete = useCompleteMilestone(milestone, onWrite)
  const { title, completed } = milestone
  return (
    <Tooltip text={completed ? 'Mark as in progress' : 'Mark as completed'}>
      <label className="relative flex cursor-pointer rounded-full outline-offset-2 outline-focus after:absolute after:-inset-1.5 after:rounded-full hover:bg-hover has-focus-visible:outline-2">
        <input
          type="checkbox"
          className="sr-only"
          aria-label={`Complete ${title}`}
          checked={completed}
          onChange={(event) => complete(event.target.checked)}
        />
        <Marker done={completed} current={current} />
      </label>
    </Tooltip>
  )
}
