import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dayIn } from '#contract/parts/date-formats.ts'
import { happenedOn } from './date-and-state.ts'

const zones = ['Pacific/Auckland', 'UTC', 'America/Los_Angeles', 'Australia/Lord_Howe']
const before = process.env.TZ

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  process.env.TZ = before
})

test.each(zones)(
  'a chosen day is the same day in the author’s time zone %s and any browser time zone',
  (zone) => {
    process.env.TZ = 'Europe/Berlin'
    vi.setSystemTime('2026-11-22T23:30:00Z')
    for (const day of [
      '2026-11-22',
      '2026-11-23',
      '2026-03-29',
      '2026-10-25',
      '1999-12-31',
      '2024-02-29',
      '1900-01-01',
      '1848-03-18',
      '1700-01-01',
    ]) {
      const { happenedAt = '', happenedZone = '' } = happenedOn(day, zone)
      expect(happenedZone).toBe(zone)
      expect(dayIn(happenedZone, new Date(happenedAt))).toBe(day)
    }
  },
)

test('an entry for today happened now', () => {
  vi.setSystemTime('2026-11-22T23:30:00Z')
  expect(happenedOn('2026-11-23', 'Asia/Tokyo').happenedAt).toBe('2026-11-22T23:30:00.000Z')
  expect(happenedOn('2026-11-22', 'UTC').happenedAt).toBe('2026-11-22T23:30:00.000Z')
})
