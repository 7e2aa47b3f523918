import { FileText, Flag, Folder, RotateCcw } from 'lucide-react'
import { useId } from 'react'
import type { Deletion } from '#contract/trash.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'
import { LazyConfirmDialog } from '#web/ui/dialogs/on-demand.tsx'
import { counted } from '#web/ui/layout/counted.ts'
import { Time } from '#web/ui/layout/time.tsx'
import { isParentDeleted, kindNames, useDeleteForEver, useRestore } from './mutations.ts'

const icons = { project: Folder, milestone: Flag, entry: FileText }

/** A deletion in the trash: its resource, who deleted it, what was deleted with it, its remaining time, and the actions. */
export function DeletionRow({ deletion }: { deletion: Deletion }) {
  const titleId = useId()
  const { kind, title, deletedAt, deletedBy, endsAt } = deletion
  const Icon = icons[kind]
  return (
    <article aria-labelledby={titleId} className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4 sm:p-5">
      <Icon className="mt-1 size-5 shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-52">
        <h2 id={titleId} dir="auto" className="line-clamp-2 font-reading text-lg font-medium break-words">
          {title === '' ? 'Untitled' : title}
        </h2>
        <p className="mt-0.5 text-sm text-muted">
          <Origin deletion={deletion} />
        </p>
        <p className="mt-2 text-sm text-muted">
          Deleted{' '}
          {deletedBy && (
            <>
              by <bdi>{deletedBy.name}</bdi>{' '}
            </>
          )}
          on <Time iso={deletedAt} />, kept until <Time iso={endsAt} />
        </p>
      </div>
      <Actions deletion={deletion} titleId={titleId} />
    </article>
  )
}

/** The kind of the resource, where it was, and what was deleted with it. */
function Origin({ deletion }: { deletion: Deletion }) {
  const { kind, project, milestoneTitle } = deletion
  const extent = extentOf(deletion)
  return (
    <>
      {kindNames[kind]}
      {milestoneTitle !== undefined && (
        <>
          {' of '}
          <bdi>{milestoneTitle}</bdi>
        </>
      )}
      {project && (
        <>
          {' in '}
          <bdi>{project.title}</bdi>
        </>
      )}
      {extent !== null && `, with ${extent}`}
    </>
  )
}

/** Returns what was deleted with a project or a milestone, as a phrase; null for nothing. */
function extentOf({ kind, milestones, entries }: Pick<Deletion, 'kind' | 'milestones' | 'entries'>) {
  if (kind === 'entry') return null
  const parts = [
    ...(kind === 'project' && milestones > 0 ? [counted(milestones, 'milestone')] : []),
    ...(entries > 0 ? [counted(entries, 'entry', 'entries')] : []),
  ]
  return parts.length === 0 ? null : parts.join(' and ')
}

type ActionsProps = { deletion: Deletion; titleId: string }

function Actions({ deletion, titleId }: ActionsProps) {
  const { mutate: restore, error, isPending, reset } = useRestore(deletion)
  const purge = useDeleteForEver(deletion)
  const { kind, title, canDelete } = deletion
  const parentError = isParentDeleted(error) && !isPending ? error : null

  return (
    <div className="flex flex-wrap gap-2.5 max-sm:pl-9">
      <Button
        size="sm"
        icon={<RotateCcw />}
        aria-describedby={titleId}
        busy={isPending}
        onClick={() => restore(false)}
      >
        Restore
      </Button>
      {canDelete && (
        <ConfirmButton
          variant="quiet"
          size="sm"
          aria-describedby={titleId}
          busy={purge.isPending}
          question={`Are you sure you want to delete this ${kind} for ever?`}
          detail={
            <>
              “<bdi>{title}</bdi>”{kind !== 'entry' && ' and everything that was in it'} will be gone for
              good.
            </>
          }
          verb="Delete for ever"
          onConfirm={() => purge.mutate()}
        />
      )}
      {parentError && (
        <LazyConfirmDialog
          question="Restore what it belongs to as well?"
          detail={parentError.message}
          verb="Restore all"
          harmless
          onConfirm={() => restore(true)}
          onClose={reset}
        />
      )}
    </div>
  )
}
