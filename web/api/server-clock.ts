import { MINUTE_MS } from '#contract/parts/durations.ts'
import { Listeners } from '#web/ui/listeners.ts'

/** How far the server's clock is ahead of this device's, in whole minutes. */
let minutes = 0
const listeners = new Listeners()

/** Notes the `Date` of a response that has just arrived. */
export function noteServerTime(date: string | null): void {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return
  const next = Math.round((at - Date.now()) / MINUTE_MS)
  if (next === minutes) return
  minutes = next
  listeners.call()
}

/** Returns the current time by the server's clock. */
export const serverNow = (): Date => new Date(Date.now() + minutes * MINUTE_MS)

/** How far the server's clock is ahead, in minutes, as an external store for React; 0 on the server. */
export const serverAhead = {
  subscribe: listeners.add,
  read: () => minutes,
  readOnServer: () => 0,
}
