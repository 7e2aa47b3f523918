import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'

export const WebhooksDialog = dialogOnDemand(
  async () => (await import('./webhooks-dialog.tsx')).WebhooksDialog,
)
