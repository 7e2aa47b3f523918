import { readStored, store } from '#web/api/browser-storage.ts'

/** Of this tab: the next page says that signing out failed. `web/pages/head.ts` reads it, too. */
export const FAILED_SIGN_OUT_KEY = 'signOutFailed'

/** Makes the next page say that the server has not confirmed the end of the session. */
export const noteFailedSignOut = (): void => void store(FAILED_SIGN_OUT_KEY, 'true', 'tab')

/** Returns whether this page has to say so, once. */
export function takeFailedSignOut(): boolean {
  const isNoted = readStored(FAILED_SIGN_OUT_KEY, 'tab') !== null
  store(FAILED_SIGN_OUT_KEY, null, 'tab')
  return isNoted
}
