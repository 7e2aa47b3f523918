import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Activity } from '#contract/activity.ts'
import { byDay } from './activity-screen.tsx'

const before = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Europe/Berlin'
})
afterEach(() => {
  process.env.TZ = before
})

const at = (createdAt: string) => ({ createdAt }) as Activity
const daysOf = (now: string, ...times: string[]) =>
  byDay(times.map(at), Date.parse(now), {}).map(({ day, activity }) => [day, activity.length])

test('activity is grouped by the reader’s day', () => {
  const midnight = ['2026-11-21T23:30:00Z', '2026-11-21T23:00:00Z', '2026-11-21T22:59:00Z']
  expect(daysOf('2026-11-22T20:00:00Z', ...midnight)).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
  ])
})

test('yesterday is correct across a change to daylight saving time', () => {
  expect(daysOf('2026-10-25T22:30:00Z', '2026-10-24T21:00:00Z')).toEqual([['Yesterday', 1]])
  expect(daysOf('2026-03-29T21:30:00Z', '2026-03-28T22:30:00Z')).toEqual([['Yesterday', 1]])
})

test('earlier days are named in full', () => {
  const named = new Date('2026-11-02T10:00:00Z').toLocaleDateString(undefined, { dateStyle: 'full' })
  expect(daysOf('2026-11-22T20:00:00Z', '2026-11-02T10:00:00Z')).toEqual([[named, 1]])
})

test('the day is that of the time zone which the reader has chosen, and written in their format', () => {
  const now = Date.parse('2026-11-22T20:00:00Z') // the next day in Tokyo
  const group = (time: string) =>
    byDay([at(time)], now, { timeZone: 'Asia/Tokyo', dateFormat: 'iso' })[0]?.day
  expect(group('2026-11-22T15:00:00Z')).toBe('Today')
  expect(group('2026-11-22T14:59:00Z')).toBe('Yesterday')
  expect(group('2026-11-02T20:00:00Z')).toBe('2026-11-03')
})
