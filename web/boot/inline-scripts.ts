import { applyTheme } from '#web/shell/head-scripts.ts'
import { showLoadFailure } from '#web/shell/load-failure.ts'
import { afterFirstPaint, keepPlaces, loadFonts } from '#web/shell/load-fonts.ts'
import { reportMissingScripts } from './hydration.ts'

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

/**
 * What runs while the browser parses the document of a screen. Only the source texts of the functions are sent, so each is
 * self-contained. They are functions, not files of their own, because a file would be one more request before the first paint.
 */
export const screenScript = [
  ...[applyTheme, markStoredSession, forbidEval].map((script) => `(${script.toString()})()`),
  `(${loadFonts.toString()})(${keepPlaces.toString()},${afterFirstPaint.toString()})`,
  `(${reportMissingScripts.toString()})(${showLoadFailure.toString()})`,
].join(';')
