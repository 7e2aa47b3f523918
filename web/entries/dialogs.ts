import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'

export const EntryEditor = dialogOnDemand(
  async () => (await import('./editor/editor-dialog.tsx')).EditorDialog,
)
export const DeleteEntryDialog = dialogOnDemand(
  async () => (await import('./delete-entry-dialog.tsx')).DeleteEntryDialog,
)
