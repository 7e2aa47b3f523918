import { dialogOnDemand } from './dialog-on-demand.tsx'

/** A ConfirmDialog that is fetched when somebody is about to be asked. */
export const Question = dialogOnDemand(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)
