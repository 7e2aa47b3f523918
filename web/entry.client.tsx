import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { announceHydration } from '#web/shell/hydration.ts'
import { historyLayers } from '#web/ui/dialogs/history-layers.ts'

historyLayers() // before the router

startTransition(() => {
  announceHydration()
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
