import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'

export const AddMilestoneDialog = dialogOnDemand(
  async () => (await import('./milestone-dialog.tsx')).AddMilestoneDialog,
)

export const EditMilestoneDialog = dialogOnDemand(
  async () => (await import('./milestone-dialog.tsx')).EditMilestoneDialog,
)

export const MoveDialog = dialogOnDemand(async () => (await import('./order/move-dialog.tsx')).MoveDialog)

export const DeleteMilestone = dialogOnDemand(
  async () => (await import('./delete-milestone.tsx')).DeleteMilestone,
)
