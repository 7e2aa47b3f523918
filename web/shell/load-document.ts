import { redirect } from 'react-router'
import { historyLayers } from '#web/ui/dialogs/history-layers.ts'

/** Leaves the app for the document at a URL. If Back shows this page again, the navigation that asked for it ends here. */
export function loadDocument(url: string): Promise<Response> {
  const { pathname, search, hash } = window.location
  // The menu of the link may still be removing its history entry, which would cancel the load.
  historyLayers().leave(() => window.location.assign(url))
  return new Promise((resolve) => {
    addEventListener('pageshow', ({ persisted }) => persisted && resolve(redirect(pathname + search + hash)))
  })
}
