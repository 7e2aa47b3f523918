import { applyTheme } from '#web/shell/apply-theme.ts'
import { loadFonts } from '#web/shell/load-fonts.ts'
import { reportMissingScripts } from './hydration.ts'

// The inline script of a screen, which runs while the browser parses the head: a file would be one more request before the first paint.

applyTheme()
markStoredSession()
forbidEval()
loadFonts()
reportMissingScripts()

/** Marks the root if a session is stored here, so that the Loading screen is visible before hydration. */
function markStoredSession() {
  try {
    if (localStorage.getItem('token')) document.documentElement.dataset.session = 'stored'
  } catch {
    // A browser that forbids storage stores no session.
  }
}

/** Prevents zod from trying `eval` when it is loaded: the policy forbids it, and every attempt would be reported. */
function forbidEval() {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}
