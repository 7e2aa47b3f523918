import { type DatePreferences, dayIn, usableZone } from '#contract/parts/date-formats.ts'
import { DAY_MS } from '#contract/parts/durations.ts'
import { dateFormatter } from './date-formatter.ts'

/** Returns the chosen time zone, else that of this browser, else UTC; of these the first that `Intl` accepts. */
export const zoneOf = ({ timeZone }: DatePreferences): string =>
  usableZone(timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Returns the name of the day of a moment, in the reader's time zone and language. */
export function dayName(iso: string, now: number, choice: DatePreferences): string {
  const zone = zoneOf(choice)
  const day = dayIn(zone, new Date(iso))
  const today = dayIn(zone, new Date(now))
  if (day === today) return 'Today'
  if (Date.parse(day) === Date.parse(today) - DAY_MS) return 'Yesterday'
  return dateFormatter('fullDay', choice).format(new Date(day))
}
