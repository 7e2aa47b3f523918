import { clsx } from 'clsx'
import { Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import { isUnsaved } from '#web/api/optimistic.ts'
import { Card } from '#web/ui/card.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { DeleteMilestone, EditMilestoneDialog } from './dialogs.ts'
import { MilestoneFacts } from './milestone-facts.tsx'

type MilestoneCardProps = {
  milestone: Milestone
  /** Where its entries are shown. */
  to: string
  selected: boolean
  canEdit: boolean
  onEdit: () => void
  onDelete: () => void
}

/** The id of the link to a milestone's entries. */
export const milestoneLinkId = (milestoneId: string) => `milestone-${milestoneId}`

/** A milestone on the trail. The whole card leads to its entries, except where its buttons are. */
export function MilestoneCard({ milestone, to, selected, canEdit, onEdit, onDelete }: MilestoneCardProps) {
  const { title } = milestone
  const unsaved = isUnsaved(milestone)
  return (
    <Card
      className={clsx(
        'group/card relative px-4 py-3 transition-colors',
        selected ? 'border-accent' : 'hover:border-edge',
      )}
    >
      <h3 className={clsx('text-base font-semibold', canEdit && 'pr-17 pointer-coarse:pr-23')}>
        {unsaved ? (
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
        {unsaved ? <Spinner label="Saving…" /> : <MilestoneFacts milestone={milestone} />}
      </div>
      {selected && (
        <p className="mt-2 border-t border-line pt-2 text-sm font-medium text-accent">
          Currently viewing this milestone
        </p>
      )}
      {canEdit && !unsaved && (
        <div className="absolute top-2 right-2 z-10 flex opacity-0 transition-opacity group-focus-within/card:opacity-100 group-hover/card:opacity-100 pointer-coarse:top-0 pointer-coarse:right-0 pointer-coarse:opacity-100">
          <IconButton
            label={`Edit milestone ${title}`}
            icon={<Pencil />}
            size="sm"
            {...EditMilestoneDialog.near}
            onClick={onEdit}
          />
          <IconButton
            label={`Delete milestone ${title}`}
            icon={<Trash2 />}
            size="sm"
            danger
            {...DeleteMilestone.near}
            onClick={onDelete}
          />
        </div>
      )}
    </Card>
  )
}
