import { assets } from '#web/boot/assets.ts'
import { applyTheme } from '#web/shell/head-scripts.ts'
import { showLoadFailure } from '#web/shell/load-failure.ts'
import { afterFirstPaint, keepPlaces, loadFonts } from '#web/shell/load-fonts.ts'

/**
 * Starts the scripts of a page: the app's navigation bar immediately if a session is stored here, which shows the Loading screen
 * meanwhile, or if signing out has just failed (`failed-sign-out.ts`), which it says; and the rest once the page is loaded and painted. `report` shows
 * that it could not be fetched. Only its source text is sent, so it is self-contained.
 */
function startIslands(
  main: string,
  member: string,
  report: () => void,
  afterPaint: (run: () => void) => void,
) {
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
      document.body ? report() : addEventListener('DOMContentLoaded', report),
    )
  // A script before the load event, or before the first paint, would delay the largest paint.
  addEventListener('load', () =>
    afterPaint(() => {
      import(/* @vite-ignore */ main).catch(() => undefined) // the page can be read without it
    }),
  )
}

const files = [assets['web/pages/islands/main.ts'], assets['web/pages/islands/member.ts']]

/** The scripts in the head of every page. */
export const inlineScripts = [
  `(${applyTheme.toString()})()`,
  `(afterPaint=>{(${loadFonts.toString()})(${keepPlaces.toString()},afterPaint);(${startIslands.toString()})(${files.map((file) => JSON.stringify(file)).join()},${showLoadFailure.toString()},afterPaint)})(${afterFirstPaint.toString()})`,
] as const
