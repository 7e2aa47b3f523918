declare global {
  var __zod_globalConfig: { jitless: boolean } | undefined
}

/** Says on the root that a session is stored here, so that its Loading screen shows before the app is alive. */
export function markStoredSession() {
  try {
    if (localStorage.getItem('token')) document.documentElement.dataset.session = 'stored'
  } catch {
    // A browser that forbids storage stores no session.
  }
}

/** Keeps zod from trying `eval` as soon as it is loaded: the policy forbids it, and every try would be reported. */
export function spareEval() {
  globalThis.__zod_globalConfig = { jitless: true }
}
