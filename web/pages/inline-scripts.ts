import { applyTheme, loadFonts } from '#web/shell/head-scripts.ts'
import { assets } from './assets.ts'

/**
 * Starts the scripts of a page: the app's navigation bar immediately if a session is stored here, which shows the Loading screen
 * meanwhile, or if signing out has just failed (`failed-sign-out.ts`), which it says; and the rest once the page is loaded. Only its source text is sent, so it is self-contained.
 */
function startIslands(main: string, member: string) {
  const root = document.documentElement

  /** Shows that the scripts could not be fetched: the page is that of a visitor until it is reloaded. */
  function report() {
    delete root.dataset.session
    const message = document.createElement('div')
    message.role = 'alert'
    message.className =
      'fixed inset-x-0 bottom-0 z-40 flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-t border-line bg-raised px-4 py-3 text-sm text-ink shadow-lg'
    const reload = document.createElement('button')
    reload.className = 'rounded-sm px-2 py-1 font-semibold text-accent hover:text-accent-strong'
    reload.textContent = 'Reload the page'
    reload.addEventListener('click', () => location.reload())
    message.append('This page could not be loaded completely. Check your connection, then reload it.', reload)
    document.body.append(message)
  }

  let hasSession = false
  let hasFailedToEnd = false
  try {
    hasSession = localStorage.getItem('token') !== null
    hasFailedToEnd = sessionStorage.getItem('signOutFailed') !== null
  } catch {
    // A browser that forbids storage stores no session.
  }
  if (hasSession) root.dataset.session = 'stored'
  if (hasSession || hasFailedToEnd)
    import(/* @vite-ignore */ member).catch(() =>
      document.body ? report() : addEventListener('DOMContentLoaded', report),
    )
  // A script before the load event would delay the largest paint.
  addEventListener('load', () => {
    import(/* @vite-ignore */ main).catch(() => undefined) // the page can be read without it
  })
}

const files = [assets['web/pages/islands/main.ts'], assets['web/pages/islands/member.ts']]

/** The scripts in the head of every page. */
export const inlineScripts = [
  `(${applyTheme.toString()})()`,
  `(${loadFonts.toString()})();(${startIslands.toString()})(${files.map((file) => JSON.stringify(file)).join()})`,
] as const
