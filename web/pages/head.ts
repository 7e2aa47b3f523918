import { applyTheme } from '#web/shell/apply-theme.ts'
import { showLoadFailure } from '#web/shell/load-failure.ts'
import { afterFirstPaint, loadFonts } from '#web/shell/load-fonts.ts'

// The inline script of a public page, which runs while the browser parses the head: a file would be one more request before the first paint.

applyTheme()
loadFonts()
startIslands(document.currentScript?.dataset)

/**
 * Starts the scripts of a page, whose URLs are attributes of the inline one: the app's navigation bar immediately if a session is stored
 * here, which shows the Loading screen meanwhile, or if signing out has just failed (`failed-sign-out.ts`), which it says; and the rest
 * once the page is loaded and painted.
 */
function startIslands({ main = '', member = '' }: DOMStringMap = {}) {
  let hasSession = false
  let hasFailedToEnd = false
  try {
    hasSession = localStorage.getItem('token') !== null
    hasFailedToEnd = sessionStorage.getItem('signOutFailed') !== null
  } catch {
    // A browser that forbids storage stores no session.
  }
  if (hasSession) document.documentElement.dataset.session = 'stored'
  if (hasSession || hasFailedToEnd)
    import(/* @vite-ignore */ member).catch(() =>
      document.body ? showLoadFailure() : addEventListener('DOMContentLoaded', showLoadFailure),
    )
  // A script before the load event, or before the first paint, would delay the largest paint.
  addEventListener('load', () =>
    afterFirstPaint(() => {
      import(/* @vite-ignore */ main).catch(() => undefined) // the page can be read without it
    }),
  )
}
