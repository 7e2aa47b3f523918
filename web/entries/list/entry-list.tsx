import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Milestone } from '#contract/milestones.ts'
import { compose, composerPreloadProps } from '#web/commands/compose.ts'
import { useEntryPage } from '#web/entries/queries.ts'
import { refreshMilestones } from '#web/milestones/queries.ts'
import { isNotFound } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { isDialogOpen } from '#web/ui/controls/keys.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { useEntryFilters } from './entry-filters.ts'
import { EntryPages } from './entry-pages.tsx'

type EntryListProps = {
  projectId: string
  milestone: Milestone
  canEdit: boolean
  rightsPending: boolean
  /** Whether the milestone was just created, so that the button of its first entry gets the focus. */
  isNew: boolean
  /** The head of the list, with the button that adds an entry. */
  renderHead: (addButton: ReactNode) => ReactNode
}

/** The entries of a milestone, and the button for a new one. */
export function EntryList(props: EntryListProps) {
  const { projectId, milestone, canEdit, rightsPending, isNew, renderHead } = props
  const { total, pages } = useEntryList(projectId, { milestoneId: milestone._id })
  // The timeline knows whether there are any, so that the button to write does not move when they arrive.
  const isEmpty = (total ?? (pages.query.isError ? undefined : milestone.entryCount)) === 0

  // The composer is no part of this list, with which it would be closed when the person may no longer see the project.
  const write = () => compose({ projectId, milestoneId: milestone._id })
  const addButton = (label: string, isFocused = false) =>
    canEdit && <AddButton label={label} isFocused={isFocused} onPress={write} />
  // Its space is reserved until the rights are known: beside it, the lines of the head break elsewhere.
  const reserved = (
    <div className="invisible">
      <AddButton label="Add Entry" isFocused={false} onPress={write} />
    </div>
  )

  function content() {
    if (isEmpty) {
      return (
        <EmptyState
          drawing="page"
          title="No entries yet"
          action={addButton('Add your first entry', isNew && total === 0)}
        >
          {canEdit
            ? 'Write down what happened, while you remember it.'
            : 'Nothing has been written here so far.'}
        </EmptyState>
      )
    }
    return <EntryPages {...pages} projectId={projectId} expected={milestone.entryCount} canEdit={canEdit} />
  }

  return (
    <div tabIndex={-1} className="outline-none">
      {renderHead(isEmpty ? null : rightsPending ? reserved : addButton('Add Entry'))}
      {content()}
    </div>
  )
}

type AddButtonProps = { label: string; isFocused: boolean; onPress: () => void }

/** Opens the composer for a new entry. It gets the focus once `isFocused`, unless a dialog is open. */
function AddButton({ label, isFocused, onPress }: AddButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isFocused && !isDialogOpen()) button.current?.focus()
  }, [isFocused])
  return (
    <Button
      ref={button}
      variant="primary"
      icon={<Plus />}
      // With the focus it is above the message that the milestone was created.
      className="scroll-mb-24"
      {...composerPreloadProps}
      onClick={onPress}
    >
      {label}
    </Button>
  )
}

type ProjectEntriesProps = {
  projectId: string
  milestones: readonly Milestone[]
  canEdit: boolean
  /** Shown while the existence of entries is unknown. */
  empty: ReactNode
  head: ReactNode
}

/** The entries of all milestones of a project in one list. */
export function ProjectEntries({ projectId, milestones, canEdit, empty, head }: ProjectEntriesProps) {
  const { total, pages } = useEntryList(projectId, { projectId })
  const expected = milestones.reduce((sum, { entryCount }) => sum + entryCount, 0)

  if ((total ?? expected) === 0) return empty
  return (
    <div tabIndex={-1} className="outline-none">
      {head}
      <EntryPages
        {...pages}
        projectId={projectId}
        milestoneTitles={new Map(milestones.map(({ _id, title }) => [_id, title]))}
        expected={expected}
        canEdit={canEdit}
      />
    </div>
  )
}

/** Fetches the page of entries of the URL. */
function useEntryList(projectId: string, container: Parameters<typeof useEntryPage>[0]) {
  const client = useQueryClient()
  const filtering = useEntryFilters()
  const query = useEntryPage(container, filtering.filters)
  const total = query.data?.total
  const isGone = isNotFound(query.error)

  // Without events from the server, the milestone or the project may have been deleted or hidden elsewhere.
  useEffect(() => {
    if (isGone) refreshMilestones(client, projectId)
  }, [client, isGone, projectId])

  return { total, pages: { query, filtering } }
}
