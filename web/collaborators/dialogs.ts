import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'

export const ManageDialog = dialogOnDemand(
  async () => (await import('./manage/manage-dialog.tsx')).ManageDialog,
)
