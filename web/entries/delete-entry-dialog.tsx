import type { Entry } from '#contract/entries.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'

type DeleteEntryDialogProps = {
  entry: Entry
  busy?: boolean
  onConfirm: (entry: Entry) => void
  onClose: () => void
}

/** Confirms the deletion of an entry. */
export function DeleteEntryDialog({ entry, busy, onConfirm, onClose }: DeleteEntryDialogProps) {
  return (
    <ConfirmDialog
      question="Are you sure you want to delete this entry?"
      detail={
        <>
          “<bdi>{entry.title}</bdi>” goes to the trash.
        </>
      }
      verb="Delete"
      busy={busy}
      onConfirm={() => onConfirm(entry)}
      onClose={onClose}
    />
  )
}
