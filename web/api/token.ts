const KEY = 'token'

/** For browsers that forbid storage: the session then lasts until the page is closed. */
let unstored: string | null = null

/** Returns the application token of this browser's session, if there is one. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(KEY) ?? unstored
  } catch {
    return unstored
  }
}

/** Stores a token, or removes it with `null`. */
export function storeToken(token: string | null): void {
  unstored = null
  try {
    if (token === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, token)
  } catch {
    unstored = token
  }
}
