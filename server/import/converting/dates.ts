import { dayIn, FIRST_YEAR, LAST_YEAR, noonIn } from '#contract/parts/date-formats.ts'
import { MINUTE_MS } from '#contract/parts/durations.ts'
import type { Happened, ProblemList } from '#server/import/items.ts'

const NOON = 12 * 60

const DAY = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/
const TIME = /^[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(am|pm)?/i
const OFFSET = /^\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})/i

/** Reads a date as people and programs write it: ISO, with or without time and offset, a number, or English words. Null if it is none. */
export function dateOf(value: unknown, zone: string): Happened | null {
  if (value instanceof Date) return instant(value, zone)
  if (typeof value === 'number') return ofNumber(value, zone)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (/^\d{8}$|^\d{9,13}$/.test(text)) return ofNumber(Number(text), zone)
  const day = DAY.exec(text)
  if (day) return ofDay(text, day, zone)
  return /\d{4}/.test(text) && text.length < 60 ? ofWords(text, zone) : null
}

/** Seconds or milliseconds since 1970, or `20240131`. */
function ofNumber(number: number, zone: string): Happened | null {
  if (!Number.isFinite(number)) return null
  const digits = String(Math.trunc(number))
  if (digits.length === 8 && /^(?:1\d|2[01])\d{2}(?:0[1-9]|1[0-2])/.test(digits))
    return dateOf(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`, zone)
  return instant(new Date(number < 1e11 ? number * 1_000 : number), zone)
}

function ofDay(text: string, [found, year = '', month = '', date = '']: RegExpExecArray, zone: string) {
  const on = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  if (!isDay(on)) return null
  const rest = text.slice(found.length)
  const time = TIME.exec(rest)
  if (!time) return { at: noonIn(zone, on).toISOString(), on, zone }
  const [whole, hour = '', minute = '', second = '0', half = ''] = time
  const hours = (Number(hour) % (half ? 12 : 24)) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const offset = OFFSET.exec(rest.slice(whole.length))?.[1]
  if (offset === undefined) {
    const at =
      noonIn(zone, on).getTime() + (hours * 60 + Number(minute) - NOON) * MINUTE_MS + Number(second) * 1_000
    return { at: new Date(at).toISOString(), on, zone }
  }
  const shift = /^[+-]/.test(offset) ? minutesOf(offset) : 0
  const at = new Date(`${on}T00:00:00Z`).getTime() + (hours * 60 + Number(minute) - shift) * MINUTE_MS
  const happened = instant(new Date(at + Number(second) * 1_000), zone)
  // The day is that of the author, whose offset this is.
  return happened && shift !== 0 ? { ...happened, on } : happened
}

const minutesOf = (offset: string) => {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

function ofWords(text: string, zone: string): Happened | null {
  const read = new Date(text)
  if (Number.isNaN(read.getTime())) return null
  if (/\d:\d\d|GMT|UTC|Z$/.test(text)) return instant(read, zone)
  const [year, month, date] = [read.getFullYear(), read.getMonth() + 1, read.getDate()].map(String)
  return dateOf(`${year?.padStart(4, '0')}-${month}-${date}`, zone)
}

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

/** Returns the first of these values that is a date, or else the present day, which is told. */
export function firstDate(
  values: readonly unknown[],
  { zone, problems }: { zone: string; problems: ProblemList },
  path: string,
): Happened {
  for (const value of values) {
    const found = dateOf(value, zone)
    if (found) return found
  }
  problems.add('it has no date, and gets that of the import', path)
  const now = new Date()
  return { at: now.toISOString(), on: dayIn(zone, now), zone }
}

/** Makes a date without an offset, as databases write them, one in UTC. */
export const utc = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(value.trim())
    ? `${value.trim()}Z`
    : value
