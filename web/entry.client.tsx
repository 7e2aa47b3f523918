import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

const PATIENCE_MS = 2_000

function start() {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    )
  })
}

/** A visitor's page can be read and followed without the app, which then lets the browser finish its work first. */
function canWait(): boolean {
  const { documentElement: root, forms } = document
  return root.dataset.session === undefined && forms.length === 0 && 'requestIdleCallback' in window
}

if (canWait()) requestIdleCallback(start, { timeout: PATIENCE_MS })
else start()
