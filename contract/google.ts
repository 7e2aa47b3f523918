// The message that the window of a Google sign-in posts to the page that opened it; no zod, like sign-in.ts.

export const GOOGLE_START = '/api/auth/google/start'
export const GOOGLE_CALLBACK = '/api/auth/google/callback'
export const GOOGLE_MESSAGE = 'milepost:google'

/**
 * How a Google sign-in ended. `unavailable`: Google, or the issuer in its place, could not be reached. `closed`: the person
 * has no account, and may make none.
 */
export type GoogleOutcome = 'signed-in' | 'cancelled' | 'unavailable' | 'closed' | 'failed'

export type GoogleMessage = {
  type: typeof GOOGLE_MESSAGE
  /** The random name that the page gave the window, known only to the page, the window and the server. */
  window: string
  outcome: GoogleOutcome
}
