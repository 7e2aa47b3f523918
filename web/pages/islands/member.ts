import '#web/api/forbid-eval.ts'
import { historyLayers } from '#web/ui/dialogs/history-layers.ts'

historyLayers() // before the router
if (document.readyState === 'loading')
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
const { mountBar } = await import('./member-bar.tsx')
mountBar()
