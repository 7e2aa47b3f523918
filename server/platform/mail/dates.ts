import { type DateChoice, localeOf } from '#contract/date-formats.ts'

/** Returns a moment as an email writes it, with its time zone: as its reader has chosen, else in English and UTC. */
export function momentFor(at: Date, { timeZone, dateFormat }: DateChoice): string {
  const written = dateFormat
    ? formatOf({ dateFormat, timeZone }, { dateStyle: 'short', timeStyle: 'short' })
    : formatOf({ timeZone }, { dateStyle: 'long', timeStyle: 'short' })
  return `${written.format(at)} ${timeZone ? `(${timeZone})` : 'UTC'}`
}

/** Returns the day of a moment, written likewise. */
export const dayFor = (at: Date, choice: DateChoice): string =>
  formatOf(choice, { dateStyle: choice.dateFormat ? 'short' : 'long' }).format(at)

const formatOf = ({ timeZone = 'UTC', dateFormat }: DateChoice, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(dateFormat ? localeOf(dateFormat) : 'en', { ...options, timeZone })
