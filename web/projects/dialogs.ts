import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'

export const CreateProjectDialog = dialogOnDemand(
  async () => (await import('./project-dialog.tsx')).CreateProjectDialog,
)
export const EditProjectDialog = dialogOnDemand(
  async () => (await import('./project-dialog.tsx')).EditProjectDialog,
)
export const ShareDialog = dialogOnDemand(async () => (await import('./share/share-dialog.tsx')).ShareDialog)
export const DeleteProject = dialogOnDemand(async () => (await import('./delete-project.tsx')).DeleteProject)
