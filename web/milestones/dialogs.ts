import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'

export const AddMilestoneDialog = dialogOnDemand(
  async () => (await import('./milestone-dialog.tsx')).AddMilestoneDialog,
)
