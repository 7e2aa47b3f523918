// The word that the window of a Google sign-in leaves with the page that opened it; no zod, like sign-in.ts.

export const GOOGLE_START = '/api/auth/google/start'
export const GOOGLE_MESSAGE = 'milepost:google'

/** How a Google sign-in ended. `unavailable`: Google, or whoever stands in for it, could not be reached. */
export type GoogleOutcome = 'signed-in' | 'cancelled' | 'unavailable' | 'failed'

export type GoogleMessage = {
  type: typeof GOOGLE_MESSAGE
  /** The name that the page gave the window, which only the two of them and the server know. */
  window: string
  outcome: GoogleOutcome
}
