import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DateFormat, DatePreferences } from '#contract/parts/date-formats.ts'
import { dateFormatter } from './date-formatter.ts'
import { relativeTime } from './time.tsx'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const units: Record<string, [length: number, limit: number]> = { m: [MINUTE, 60], h: [HOUR, 24], d: [DAY, 7] }

const now = Date.parse('2026-11-21T12:00:00Z')
const ago = (passed: number) => relativeTime(new Date(now - passed).toISOString(), now)

test.each([
  [0, 'Just now'],
  [59 * SECOND, 'Just now'],
  [MINUTE, '1m ago'],
  [59 * MINUTE + 59 * SECOND, '59m ago'],
  [HOUR, '1h ago'],
  [DAY - SECOND, '23h ago'],
  [DAY, '1d ago'],
  [7 * DAY - SECOND, '6d ago'],
])('%i ms ago is %j', (passed, text) => {
  expect(ago(passed)).toBe(text)
})

test('from a week on it is a date in the reader’s language', () => {
  fc.assert(
    fc.property(fc.integer({ min: 7 * DAY, max: 20_000 * DAY }), (passed) => {
      const date = new Date(now - passed).toLocaleDateString(undefined, { dateStyle: 'medium' })
      expect(ago(passed)).toBe(date)
    }),
  )
})

test.each<[DatePreferences, string]>([
  [{ timeZone: 'Asia/Tokyo', dateFormat: 'iso' }, '2026-11-02'],
  [{ timeZone: 'America/Los_Angeles', dateFormat: 'iso' }, '2026-11-01'],
  [{ timeZone: 'Asia/Tokyo', dateFormat: 'day-first' }, '02/11/2026'],
])('from a week on it is a date as %j asks', (choice, date) => {
  expect(relativeTime('2026-11-01T20:00:00Z', now, choice)).toBe(date)
})

test('a moment has a 24-hour clock in each chosen format', () => {
  const moment = new Date('2026-11-01T20:05:00Z')
  const write = (dateFormat: DateFormat) =>
    dateFormatter('datetime', { timeZone: 'UTC', dateFormat }).format(moment)
  expect([write('iso'), write('day-first')]).toEqual(['2026-11-01 20:05', '01/11/2026, 20:05'])
})

test('any moment of the last week is shown in its largest whole unit', () => {
  fc.assert(
    fc.property(fc.integer({ min: MINUTE, max: 7 * DAY - 1 }), (passed) => {
      const [, number = '', unit = ''] = /^(\d+)([mhd]) ago$/.exec(ago(passed)) ?? []
      const [length, limit] = units[unit] ?? [0, 0]
      const rest = passed - Number(number) * length
      expect(Number(number)).toBeGreaterThanOrEqual(1)
      expect(Number(number)).toBeLessThan(limit)
      expect(rest).toBeGreaterThanOrEqual(0)
      expect(rest).toBeLessThan(length)
    }),
  )
})

test('a clock that is behind the server’s shows no future time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: DAY }), (ahead) => {
      expect(ago(-ahead)).toBe('Just now')
    }),
  )
})
