import type { Entry } from '#contract/entries.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type DeleteEntryDialogProps = {
  /** The entry in question; the dialog is open while there is one. */
  entry: Entry | null
  busy?: boolean
  onCancel: () => void
  onConfirm: (entry: Entry) => void
}

/** Asks before an entry is deleted. */
export function DeleteEntryDialog({ entry, busy, onCancel, onConfirm }: DeleteEntryDialogProps) {
  return (
    <ConfirmDialog
      open={entry !== null}
      onOpenChange={(open) => !open && onCancel()}
      question="Are you sure you want to delete this entry?"
      detail={entry && `“${entry.title}” will be gone for good.`}
      verb="Delete"
      busy={busy}
      onConfirm={() => entry && onConfirm(entry)}
    />
  )
}
