const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Returns how long ago a moment was, abbreviated; from a week on, its date in the reader's language. */
export function relativeTime(iso: string, now: number): string {
  const passed = now - Date.parse(iso)
  if (passed < MINUTE) return 'Just now'
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)}m ago`
  if (passed < DAY) return `${Math.floor(passed / HOUR)}h ago`
  if (passed < 7 * DAY) return `${Math.floor(passed / DAY)}d ago`
  return new Date(iso).toLocaleDateString(undefined, { dateStyle: 'medium' })
}
