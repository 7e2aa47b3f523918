import { type DatePreferences, isZone, localeOf, usableZone } from '#contract/parts/date-formats.ts'

/** Formats a moment for an email, with its time zone: by the settings of the recipient, or in English and UTC. */
export function momentFor(at: Date, choice: DatePreferences): string {
  const { dateFormat } = choice
  const timeZone = choice.timeZone !== undefined && isZone(choice.timeZone) ? choice.timeZone : undefined
  const written = dateFormat
    ? formatOf({ dateFormat, timeZone }, { dateStyle: 'short', timeStyle: 'short' })
    : formatOf({ timeZone }, { dateStyle: 'long', timeStyle: 'short' })
  return `${written.format(at)} ${timeZone ? `(${timeZone})` : 'UTC'}`
}

/** Formats the day of a moment in the same way. */
export const dayFor = (at: Date, choice: DatePreferences): string =>
  formatOf(choice, { dateStyle: choice.dateFormat ? 'short' : 'long' }).format(at)

const formatOf = ({ timeZone, dateFormat }: DatePreferences, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(dateFormat ? localeOf(dateFormat) : 'en', {
    ...options,
    timeZone: usableZone(timeZone),
  })
