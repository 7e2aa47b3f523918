import { expect, test } from 'vitest'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import { dayFor, momentFor } from './dates.ts'

const at = new Date('2026-11-23T23:05:00Z')

test.each<[DatePreferences, moment: string, day: string]>([
  [{}, 'November 23, 2026 at 11:05 PM UTC', 'November 23, 2026'],
  [{ timeZone: 'Asia/Tokyo' }, 'November 24, 2026 at 8:05 AM (Asia/Tokyo)', 'November 24, 2026'],
  [{ dateFormat: 'iso' }, '2026-11-23 23:05 UTC', '2026-11-23'],
  [{ timeZone: 'Asia/Tokyo', dateFormat: 'day-first' }, '24/11/2026, 08:05 (Asia/Tokyo)', '24/11/2026'],
])('with the date settings %j an email contains %s', (choice, moment, day) => {
  // Some versions of the Unicode data have a narrow space before AM and PM.
  expect(momentFor(at, choice).replaceAll(/\s/g, ' ')).toBe(moment)
  expect(dayFor(at, choice)).toBe(day)
})
