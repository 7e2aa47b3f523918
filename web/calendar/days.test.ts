import { expect, test } from 'vitest'
import {
  dayIn,
  daysIn,
  levelOf,
  monthIn,
  monthsIn,
  plusDays,
  plusMonths,
  sameDayIn,
  weeksOf,
} from './days.ts'

test('days and months follow each other over the ends of years and leap days', () => {
  expect(plusDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(plusDays('2025-12-31', 1)).toBe('2026-01-01')
  expect(plusMonths('2026-01', -1)).toBe('2025-12')
  expect(plusMonths('2025-12', 1)).toBe('2026-01')
  expect(daysIn('2023-02')).toHaveLength(28)
  expect(daysIn('2024-02').at(-1)).toBe('2024-02-29')
  expect(monthsIn('2026').at(-1)).toBe('2026-12')
  expect(sameDayIn('2026-02', '2026-01-31')).toBe('2026-02-28')
})

test.each([
  [1, ['2026-03-02', null]],
  [7, ['2026-03-01', '2026-03-01']],
])('a month that begins on a Sunday, in weeks that begin on day %i', (firstDay, [monday, first]) => {
  const weeks = weeksOf('2026-03', firstDay)
  expect(weeks.flat().filter(Boolean)).toEqual(daysIn('2026-03'))
  expect(weeks.every((week) => week.length === 7)).toBe(true)
  expect(weeks[0]?.[0]).toBe(first)
  expect(weeks.flatMap((week) => week[0] ?? []).includes(monday ?? '')).toBe(true)
})

test.each(['2026-02-29', '2026-13-01', '1699-01-01', 'x', '', '2026-1-1'])('%j is no day', (value) => {
  expect(dayIn(value)).toBeUndefined()
})

test('a day and a month of a URL are taken as they are', () => {
  expect(dayIn('2024-02-29')).toBe('2024-02-29')
  expect(monthIn('2024-02')).toBe('2024-02')
  expect(monthIn('2024-02-01')).toBeUndefined()
  expect(dayIn(null)).toBeUndefined()
})

test('the steps of the map rise with the number of entries', () => {
  expect([0, 1, 2, 3, 4, 5, 400].map(levelOf)).toEqual([0, 1, 2, 3, 3, 4, 4])
})
