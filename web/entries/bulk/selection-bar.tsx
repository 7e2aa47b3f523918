import { FolderInput, Trash2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import { MoveEntriesDialog } from '#web/entries/dialogs.ts'
import { Button, IconButton } from '#web/ui/controls/button.tsx'
import { isDialogOpen } from '#web/ui/controls/keys.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { countOf, useDeleteEntries } from './mutations.ts'
import type { Selection } from './use-selection.ts'

type SelectionBarProps = {
  projectId: string
  selection: Selection
  /** The entries of the page that can be chosen. */
  shown: readonly Entry[]
  onEnd: () => void
}

/** What can be done with the chosen entries, below the list and always in view. */
export function SelectionBar({ projectId, selection, shown, onEnd }: SelectionBarProps) {
  const [asks, setAsks] = useState<'move' | 'delete' | null>(null)
  const remove = useDeleteEntries(projectId)
  const entries = [...(selection.chosen?.values() ?? [])]
  const isNone = entries.length === 0
  const areAll = shown.length > 0 && shown.every(({ _id }) => selection.chosen?.has(_id))

  useEffect(() => {
    function endByKey({ key }: KeyboardEvent) {
      if (key === 'Escape' && !isDialogOpen()) onEnd()
    }
    document.addEventListener('keydown', endByKey)
    return () => document.removeEventListener('keydown', endByKey)
  }, [onEnd])

  function confirm() {
    setAsks(null)
    remove.mutate(entries)
    onEnd()
  }

  return (
    <>
      <fieldset
        aria-label="Selected entries"
        data-print="hidden"
        data-bottom-bar
        className="sticky bottom-3 z-30 mx-auto flex w-full max-w-xl animate-appear items-center gap-1 rounded-xl border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-lg sm:gap-2"
      >
        <p aria-live="polite" className="min-w-fit flex-1 text-sm font-semibold tabular-nums">
          {entries.length} selected
        </p>
        <Button
          size="sm"
          variant="quiet"
          aria-label={areAll ? 'Select none on this page' : 'Select all on this page'}
          onClick={() => selection.toggleAll(shown)}
        >
          {areAll ? 'None' : 'All'}
        </Button>
        <Button
          size="sm"
          icon={<FolderInput />}
          disabled={isNone}
          {...MoveEntriesDialog.preloadProps}
          onClick={() => setAsks('move')}
        >
          <span className="max-sm:sr-only">Move to…</span>
        </Button>
        <IconButton
          danger
          size="sm"
          label="Delete the selected entries"
          icon={<Trash2 />}
          disabled={isNone}
          onClick={() => setAsks('delete')}
        />
        <IconButton size="sm" label="End selecting" icon={<X />} onClick={onEnd} />
      </fieldset>
      {asks === 'move' && (
        <MoveEntriesDialog
          projectId={projectId}
          entries={entries}
          onMoved={onEnd}
          onClose={() => setAsks(null)}
        />
      )}
      {asks === 'delete' && (
        <ConfirmDialog
          question={`Are you sure you want to delete ${countOf(entries.length)}?`}
          detail="Each goes to the trash, from where it can be restored."
          verb="Delete"
          onConfirm={confirm}
          onClose={() => setAsks(null)}
        />
      )}
    </>
  )
}
