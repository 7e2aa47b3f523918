import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'

export const DeleteEntryDialog = dialogOnDemand(
  async () => (await import('./delete-entry-dialog.tsx')).DeleteEntryDialog,
)
export const MoveEntriesDialog = dialogOnDemand(
  async () => (await import('./bulk/move-entries-dialog.tsx')).MoveEntriesDialog,
)
export const EntryHistory = dialogOnDemand(
  async () => (await import('./history/history-dialog.tsx')).HistoryDialog,
)
