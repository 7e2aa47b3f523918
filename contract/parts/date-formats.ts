import { DAY_MS } from './durations.ts'

/** The language-independent date formats: `2026-11-23`, or `23/11/2026`; both with a 24-hour clock. */
export const DATE_FORMATS = ['iso', 'day-first'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

/** The years that a person may have written about. */
export const FIRST_YEAR = 1700
export const LAST_YEAR = 2199

/** A person's time zone and date format; undefined: the browser's default. */
export type DatePreferences = { timeZone?: string | undefined; dateFormat?: DateFormat | undefined }

/** Returns a locale whose short dates have the format: Swedish dates are ISO 8601. */
export const localeOf = (format: DateFormat): string => (format === 'iso' ? 'sv' : 'en-GB')

const CACHED_ZONES_MAX = 100

/** The formatters of recent time zones, because creating one takes some 70 µs, and using it 3 µs. */
const dayFormatters = new Map<string, Intl.DateTimeFormat>()

/** Returns a formatter of numeric dates in a time zone. Throws a `RangeError` if there is no such zone. */
export function dayFormatter(zoneName: string): Intl.DateTimeFormat {
  const known = dayFormatters.get(zoneName)
  if (known) return known
  const formatter = new Intl.DateTimeFormat('en', {
    timeZone: zoneName,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  if (dayFormatters.size >= CACHED_ZONES_MAX) dayFormatters.clear()
  dayFormatters.set(zoneName, formatter)
  return formatter
}

/** The longest name of the time zone database has 32 characters. */
export const ZONE_MAX = 64

/**
 * Whether this is a time zone by its name that `Intl` knows here. An offset such as +01:00, which `Intl` accepts too, is not
 * valid for other days.
 */
export function isZone(name: string): boolean {
  if (name.length > ZONE_MAX || !/^[A-Za-z][\w+/-]*$/.test(name)) return false
  try {
    return Boolean(dayFormatter(name))
  } catch {
    return false // `Intl` does not know it, as Etc/Unknown of a browser without a time zone
  }
}

/** Returns the first of these names that `Intl` knows, or UTC. */
export const usableZone = (...names: (string | null | undefined)[]): string =>
  names.find((name) => name && isZone(name)) ?? 'UTC'

/** Returns noon of a day in a time zone. */
export const noonIn = (timeZone: string, day: string): Date => instantIn(timeZone, `${day}T12:00`)

/**
 * Returns the instant at which clocks in a time zone show a local time (`YYYY-MM-DDTHH:mm`): the first one if they show it twice. A time
 * that they skip moves on by what they skip. An invalid date for any other text.
 */
export function instantIn(timeZone: string, local: string): Date {
  const inUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(inUtc)) return new Date(Number.NaN)
  const offsetAt = (instant: number) =>
    Date.parse(`${new Date(instant).toLocaleString('sv', { timeZone }).replace(' ', 'T')}Z`) -
    Math.floor(instant / 1000) * 1000
  const [before, after] = [inUtc - DAY_MS, inUtc + DAY_MS].map((near) => inUtc - offsetAt(near))
  const isShown = (instant: number) => instant + offsetAt(instant) === inUtc
  const shown = [before, after].find((instant = Number.NaN) => isShown(instant))
  return new Date(shown ?? before ?? Number.NaN)
}

/** Returns the calendar day (`YYYY-MM-DD`) of an instant in a time zone. */
export function dayIn(zoneName: string, instant: Date): string {
  const parts = dayFormatter(zoneName).formatToParts(instant)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}
