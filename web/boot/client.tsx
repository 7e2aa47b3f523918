import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, matchRoutes } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { showLoadFailure } from '#web/shell/load-failure.ts'
import { historyLayers } from '#web/ui/dialogs/history-layers.ts'
import { routes } from './app.tsx'
import { ScreenDocument } from './document.tsx'
import { followTranslations } from './follow-translations.ts'
import { announceHydration } from './hydration.ts'
import { pageData } from './page-data.ts'
import { screens } from './screens.ts'
import { tidyAddress } from './tidy-address.ts'

const tidied = tidyAddress(window.location)
if (tidied !== window.location.pathname + window.location.search)
  window.history.replaceState(window.history.state, '', tidied + window.location.hash)
historyLayers() // before the router
followTranslations()

/** Hydrates the document once the code of its screen is here. Not by a top-level `await`: the screens import this chunk. */
async function start() {
  for (const { route } of matchRoutes(screens, window.location.pathname) ?? [])
    if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined })
  const router = createBrowserRouter(routes)
  startTransition(() => {
    announceHydration()
    hydrateRoot(
      document,
      <StrictMode>
        <ScreenDocument data={pageData()}>
          <RouterProvider router={router} />
        </ScreenDocument>
      </StrictMode>,
    )
  })
}

start().catch((error: unknown) => {
  showLoadFailure()
  throw error
})
