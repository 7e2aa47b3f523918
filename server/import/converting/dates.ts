import { dayIn, FIRST_YEAR, isZone, LAST_YEAR, noonIn } from '#contract/parts/date-formats.ts'
import { DAY_MS, MINUTE_MS } from '#contract/parts/durations.ts'
import type { Happened, ProblemList } from '#server/import/items.ts'
import { type DateOrder, readWritten, type WrittenDate } from './written-dates.ts'

/** Whether `05/06/2024` is the fifth of June to people in this time zone: in the United States alone it is not. */
export const isDayFirstThere = (zone: string): boolean => !inUnitedStates.has(zone)

const unitedStates: Intl.Locale & { getTimeZones?: () => string[] } = new Intl.Locale('und-US')
const inUnitedStates = new Set(unitedStates.getTimeZones?.())

/** Reads a date as people and programs write it: ISO, with or without time and offset, a number, or words. Null if it is none. */
export function dateOf(value: unknown, zone: string, isDayFirst = isDayFirstThere(zone)): Happened | null {
  if (value instanceof Date) return instant(value, zone)
  if (typeof value === 'number') return ofNumber(value, zone)
  // A link within brackets is a list of lists to YAML.
  if (Array.isArray(value)) return dateOf(value.flat(2)[0], zone, isDayFirst)
  if (typeof value !== 'string') return null
  const written = readWritten(value, isDayFirst)
  if (written) return ofWritten(written, zone)
  return /^\s*\d{9,16}(?:\.\d+)?\s*$/.test(value) ? ofNumber(Number(value), zone) : null
}

/** Returns what comes first in a date such as `17/05/2024`; undefined if it is none. */
export const orderOf = (value: unknown): DateOrder | undefined =>
  Array.isArray(value)
    ? orderOf(value.flat(2)[0])
    : typeof value === 'string'
      ? readWritten(value, true)?.order
      : undefined

/** Seconds, milliseconds or microseconds since 1970, or `20240131` with or without the digits of a time. */
function ofNumber(number: number, zone: string): Happened | null {
  const digits = String(Math.trunc(number))
  const written = /^\d+$/.test(digits) ? readWritten(digits, true) : null
  if (written) return ofWritten(written, zone)
  // A small number is that of a year or of a chapter.
  if (!Number.isFinite(number) || number < 1e8) return null
  return instant(new Date(number < 1e11 ? number * 1_000 : number < 1e14 ? number : number / 1_000), zone)
}

function ofWritten({ on, seconds, offset, zone: named }: WrittenDate, zone: string): Happened | null {
  if (!isDay(on)) return null
  if (seconds === undefined) return { at: noonIn(zone, on).toISOString(), on, zone }
  const utc = Date.parse(`${on}T00:00:00Z`) + seconds * 1_000
  if (offset !== undefined) {
    const happened = instant(new Date(utc - offset * MINUTE_MS), zone)
    // The day is that of the author, whose offset this is.
    return happened && offset !== 0 ? { ...happened, on } : happened
  }
  const own = named !== undefined && isZone(named) ? named : zone
  return { at: new Date(ofClock(utc, own)).toISOString(), on, zone: own }
}

/** Returns the instant at which clocks of a time zone show this; of two, the first; of none, as they show it after they were put forward. */
function ofClock(shown: number, zone: string): number {
  const before = shown - offsetAt(zone, shown - DAY_MS)
  const after = shown - offsetAt(zone, shown + DAY_MS)
  return shown - offsetAt(zone, before) !== before && shown - offsetAt(zone, after) === after ? after : before
}

/** How far clocks of a time zone are from UTC at an instant. */
const offsetAt = (timeZone: string, at: number) =>
  Date.parse(`${new Date(at).toLocaleString('sv', { timeZone }).replace(' ', 'T')}Z`) -
  Math.floor(at / 1_000) * 1_000

function instant(at: Date, zone: string): Happened | null {
  if (Number.isNaN(at.getTime())) return null
  const year = at.getUTCFullYear()
  if (year < FIRST_YEAR || year > LAST_YEAR) return null
  return { at: at.toISOString(), on: dayIn(zone, at), zone }
}

function isDay(on: string): boolean {
  const at = new Date(`${on}T00:00:00Z`)
  const year = at.getUTCFullYear()
  return (
    !Number.isNaN(at.getTime()) && at.toISOString().startsWith(on) && year >= FIRST_YEAR && year <= LAST_YEAR
  )
}

type Telling = { zone: string; problems: ProblemList }

/** Returns the first of these values that is a date, or else the present day, which is told. */
export function firstDate(values: readonly unknown[], { zone, problems }: Telling, path: string): Happened {
  for (const value of values) {
    const found = dateOf(value, zone)
    if (!found) continue
    if (orderOf(value) === 'either') tellOrder(value, found, { problems }, path)
    return found
  }
  problems.add('it has no date, and gets that of the import', path)
  const now = new Date()
  return { at: now.toISOString(), on: dayIn(zone, now), zone }
}

/** Tells how a date was read whose day and month could be the other way round. */
export function tellOrder(
  value: unknown,
  { on }: Pick<Happened, 'on'>,
  { problems }: Pick<Telling, 'problems'>,
  path: string,
): void {
  const written = String(value).trim()
  const isRead = dateOf(value, 'UTC', true)?.on === on ? 'day' : 'month'
  problems.add(
    `day and month of its date could be the other way round: the ${isRead} was read first`,
    `${path}: ${written} is ${on}`,
  )
}

/** Makes a date without an offset, as databases write them, one in UTC. */
export const utc = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(value.trim())
    ? `${value.trim()}Z`
    : value
