import { clsx } from 'clsx'
import { GripVertical, Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import { isUnsaved } from '#web/saving/overlay.ts'
import { DelayNote, SavingNote } from '#web/saving/saving-note.tsx'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { Marker } from '#web/ui/layout/timeline.tsx'
import { DeleteMilestone, EditMilestoneDialog, MoveDialog } from './dialogs.ts'
import { MilestoneFacts } from './milestone-facts.tsx'
import { useCompleteMilestone } from './mutations.ts'
import { MoveTools } from './order/move-tools.tsx'
import { moveButtonId, type useOrder } from './order/use-order.ts'

/** What opens a dialog about a milestone. */
type MilestoneActions = {
  [action in 'edit' | 'moveTo' | 'remove']: (milestone: Milestone) => void
}

type MilestoneCardProps = {
  milestone: Milestone
  /** The link to its entries. */
  to: string
  selected: boolean
  canEdit: boolean
  order: ReturnType<typeof useOrder>
  actions: MilestoneActions
}

export const milestoneLinkId = (milestoneId: string) => `milestone-${milestoneId}`

/** A milestone on the timeline. The whole card links to its entries, except for its buttons. */
export function MilestoneCard(props: MilestoneCardProps) {
  const { milestone, to, selected, canEdit, order, actions } = props
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
      {isMoving && order.moving?.by === 'keys' && (
        <MoveTools order={order} onMoveTo={() => actions.moveTo(milestone)} />
      )}
      {selected && <p className="mt-2 text-sm font-medium text-accent">Currently viewing this milestone</p>}
    </Card>
  )
}

/** The buttons of a card: in its corner on hover and focus, and beside its facts on touch devices. */
function CardActions({ milestone, order, actions }: MilestoneCardProps) {
  const { _id, title } = milestone
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
        onClick={() => actions.edit(milestone)}
      />
      <IconButton
        label={`Delete milestone ${title}`}
        tip="Delete milestone"
        icon={<Trash2 />}
        size="sm"
        danger
        {...DeleteMilestone.preloadProps}
        onClick={() => actions.remove(milestone)}
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
export function CompletionToggle({ milestone, current, onWrite }: CompletionToggleProps) {
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
