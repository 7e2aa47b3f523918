import { readStored, store } from './browser-storage.ts'

const KEY = 'token'

/** For browsers that forbid storage: the session then lasts until the page is closed. */
let unstored: string | null = null

/** Returns the application token of this browser's session, if there is one. */
export const readToken = (): string | null => readStored(KEY) ?? unstored

/** Stores a token, or removes it with `null`. */
export function storeToken(token: string | null): void {
  unstored = store(KEY, token) ? null : token
}
