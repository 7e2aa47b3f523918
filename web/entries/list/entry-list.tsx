import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { ENTRY_PAGE_SIZES } from '#contract/lists.ts'
import type { Milestone } from '#contract/milestones.ts'
import { EntryEditor } from '#web/entries/dialogs.ts'
import { useEntryPage } from '#web/entries/queries.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useReopenedForm } from '#web/forms/use-dialogs.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { useKeepFocus, VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { entryGridClass } from './entry-cards.tsx'
import { useEntryFilters } from './entry-filters.ts'
import { EntryPages } from './entry-pages.tsx'

type EntryListProps = { projectId: string; milestone: Milestone; canEdit: boolean }

/** The entries of a milestone, and the editor for a new one. */
export function EntryList({ projectId, milestone, canEdit }: EntryListProps) {
  const [isWriting, setWriting] = useState(false)
  const filtering = useEntryFilters()
  const entries = useEntryPage(milestone._id, filtering.filters)
  const { data: page, isError, isFetching, refetch } = entries
  const list = useRef<HTMLDivElement>(null)
  useKeepFocus(list, page?.total ?? 0)

  useReopenedForm((wasInterrupted) => {
    const isWritingAgain = canEdit && wasInterrupted(formNames.newEntry(milestone._id))
    if (isWritingAgain) setWriting(true)
    return isWritingAgain
  })

  const addButton = (label: string) =>
    canEdit && (
      <Button variant="primary" icon={<Plus />} {...EntryEditor.near} onClick={() => setWriting(true)}>
        {label}
      </Button>
    )

  function content() {
    if (!page && !isError) return <EntryListSkeleton count={milestone.entryCount} />
    if (page?.total === 0) {
      return (
        <EmptyState title="No entries yet" action={addButton('Add your first entry')}>
          {canEdit
            ? 'Write down what happened, while you remember it.'
            : 'Nothing has been written here so far.'}
        </EmptyState>
      )
    }
    return (
      <EntryPages
        projectId={projectId}
        milestoneId={milestone._id}
        page={page}
        isOutdated={entries.isPlaceholderData}
        filtering={filtering}
        canEdit={canEdit}
        addButton={addButton('Add Entry')}
        failure={<LoadingFailed busy={isFetching} onRetry={() => void refetch()} />}
      />
    )
  }

  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      {content()}
      {isWriting && (
        <EntryEditor projectId={projectId} milestoneId={milestone._id} onClose={() => setWriting(false)} />
      )}
    </div>
  )
}

function LoadingFailed({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  return (
    <EmptyState
      title="The entries could not be loaded"
      action={
        <Button busy={busy} onClick={onRetry}>
          Try again
        </Button>
      }
    >
      Nothing is lost. Check your connection and try again.
    </EmptyState>
  )
}

function EntryListSkeleton({ count }: { count: number }) {
  return (
    <output className="@container flex flex-col gap-4">
      <VisuallyHidden>Loading entries</VisuallyHidden>
      <Skeleton className="h-20" />
      <div className={entryGridClass}>
        {Array.from({ length: Math.min(Math.max(count, 1), ENTRY_PAGE_SIZES[0]) }, (_, index) => (
          <Skeleton key={index} className="h-44 rounded-lg" />
        ))}
      </div>
    </output>
  )
}
