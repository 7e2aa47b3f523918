import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Entry } from '#contract/entries.ts'
import { DeleteEntryDialog } from './dialogs.ts'
import { EntryCard } from './entry-card.tsx'
import type { View } from './entry-filters.ts'
import { entryGridClass, entryRowsClass } from './entry-grid.ts'
import { useDeleteEntry } from './mutations.ts'
import { editingQuery } from './paths.ts'

type EntryCardsProps = {
  projectId: string
  milestoneId: string
  entries: readonly Entry[]
  view: View
  canEdit: boolean
}

/** One page of entries, each of which may be edited and deleted by those who may. */
export function EntryCards({ projectId, milestoneId, entries, view, canEdit }: EntryCardsProps) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const remove = useDeleteEntry({ projectId, milestoneId })
  const [toDelete, setToDelete] = useState<Entry | null>(null)

  function confirm(entry: Entry) {
    setToDelete(null)
    remove.mutate(entry._id)
  }

  const actionsFor = (entry: Entry) => ({
    onEdit: () =>
      // The editor's layer has a history entry of its own.
      void navigate(editingQuery(entry, params), { replace: true, preventScrollReset: true }),
    onDelete: () => setToDelete(entry),
  })

  return (
    <>
      <ul className={view === 'grid' ? entryGridClass : entryRowsClass}>
        {entries.map((entry) => (
          <li key={entry._id} className="min-w-0">
            <EntryCard
              projectId={projectId}
              entry={entry}
              view={view}
              actions={canEdit ? actionsFor(entry) : undefined}
            />
          </li>
        ))}
      </ul>
      {toDelete && (
        <DeleteEntryDialog entry={toDelete} onConfirm={confirm} onClose={() => setToDelete(null)} />
      )}
    </>
  )
}
