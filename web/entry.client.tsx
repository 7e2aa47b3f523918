import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { tellListens } from '#web/shell/early-press.ts'
import { historyLayers } from '#web/ui/use-history-layer.ts'

historyLayers() // before the router

startTransition(() => {
  tellListens()
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
