import { type DatePreferences, isZone, localeOf } from '#contract/parts/date-formats.ts'

const formats = {
  date: { dateStyle: 'medium' },
  datetime: { dateStyle: 'medium', timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'short' },
  time: { timeStyle: 'short' },
  // A calendar day is the same in every time zone; as an instant it is midnight in UTC.
  day: { dateStyle: 'medium', timeZone: 'UTC' },
  fullDay: { dateStyle: 'full', timeZone: 'UTC' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

type Format = keyof typeof formats

/** Date formatters, cached because creating one costs as much as rendering a small page. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Returns the chosen time zone; undefined, for the browser's, without one or if `Intl` does not know it here. */
export const zoneIfUsable = ({ timeZone }: DatePreferences): string | undefined =>
  timeZone !== undefined && isZone(timeZone) ? timeZone : undefined

/** Returns the formatter for a reader or, with null, for the server: in English and UTC. */
export function dateFormatter(format: Format, choice: DatePreferences | null): Intl.DateTimeFormat {
  const key = `${format} ${choice?.timeZone} ${choice?.dateFormat} ${choice === null}`
  const short = choice?.dateFormat
  const options: Intl.DateTimeFormatOptions = formats[format]
  const made =
    formatters.get(key) ??
    new Intl.DateTimeFormat(short ? localeOf(short) : choice ? undefined : 'en', {
      timeZone: choice ? zoneIfUsable(choice) : 'UTC',
      ...options,
      ...(short && options.dateStyle && { dateStyle: 'short' }),
    })
  formatters.set(key, made)
  return made
}
