import { z } from 'zod'
import { FIRST_YEAR, isZone, LAST_YEAR, ZONE_MAX } from './date-formats.ts'

const YEARS = `between ${FIRST_YEAR} and ${LAST_YEAR}`

/** A calendar day, `YYYY-MM-DD`, independent of time zones. The calendar of PostgreSQL begins with the year 1. */
export const day = z.iso
  .date()
  .refine((value) => !value.startsWith('0000'), { error: 'Days begin with 0001-01-01' })

/** A day chosen by a person. */
export const chosenDay = (name: string) =>
  z.iso
    .date({ error: `${name} must be a day, as in 2026-03-04`, abort: true })
    .refine((value) => isWithin(value), {
      message: `${name} must be ${YEARS}`,
    })

/**
 * An instant chosen by a person, in ISO 8601 with its offset from UTC; also without seconds, with a space for the T, or with an offset as
 * programs write it: +0200, +02.
 */
export const chosenInstant = (name: string) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? inFull(value) : value),
    z.iso
      .datetime({
        offset: true,
        error: `${name} must be a date and time, as in 2026-03-04T05:06:07Z`,
        abort: true,
      })
      .refine((value) => isWithin(value) && isWithin(new Date(value).toISOString()), {
        message: `${name} must be ${YEARS}`,
      }),
  )

const INSTANT =
  /^(?<day>\d{4}-\d\d-\d\d)[T ](?<time>\d\d:\d\d)(?<seconds>:\d\d(?:\.\d+)?)? ?(?:(?<utc>Z)|(?<hours>[+-]\d\d)(?::?(?<minutes>\d\d))?)$/i

function inFull(written: string): string {
  const {
    day,
    time,
    seconds = ':00',
    utc,
    hours,
    minutes = '00',
  } = INSTANT.exec(written.trim())?.groups ?? {}
  if (day === undefined) return written
  return `${day}T${time}${seconds}${utc === undefined ? `${hours}:${minutes}` : 'Z'}`
}

const isWithin = (iso: string) => {
  const year = Number(/^\d{4}(?=-)/.exec(iso)?.[0])
  return year >= FIRST_YEAR && year <= LAST_YEAR
}

/** A time zone by its name in the IANA database, if `Intl` supports it. */
export const zone = z
  .string({ error: 'The time zone must be text' })
  .refine(isZone, { message: 'The time zone must be one of the IANA database, as in Europe/Berlin' })
  .meta({ maxLength: ZONE_MAX })

/**
 * The time zone of a text's author, as the program that sends it names it. One that `Intl` does not know here counts as omitted, so
 * that a browser without a time zone (Etc/Unknown) can save too.
 */
export const sentZone = z.preprocess(
  (value) => (value === null || (typeof value === 'string' && !isZone(value)) ? undefined : value),
  zone.optional(),
)
