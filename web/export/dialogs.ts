import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'

export const ExportDialog = dialogOnDemand(async () => (await import('./export-dialog.tsx')).ExportDialog)
