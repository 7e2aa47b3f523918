/** Of this tab: the next page says that signing out failed. `web/pages/inline-scripts.ts` reads it, too. */
export const FAILED_SIGN_OUT_KEY = 'signOutFailed'

/** Makes the next page say that the server has not confirmed the end of the session. */
export function noteFailedSignOut(): void {
  try {
    sessionStorage.setItem(FAILED_SIGN_OUT_KEY, 'true')
  } catch {
    // A browser that forbids storage has shown it on this page.
  }
}

/** Returns whether this page has to say so, once. */
export function takeFailedSignOut(): boolean {
  try {
    const isNoted = sessionStorage.getItem(FAILED_SIGN_OUT_KEY) !== null
    sessionStorage.removeItem(FAILED_SIGN_OUT_KEY)
    return isNoted
  } catch {
    return false
  }
}
