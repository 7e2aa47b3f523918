import { expect, it, test } from 'vitest'
import { dayFormatter, dayIn, instantIn, noonIn, usableZone } from './date-formats.ts'

it('the day of an instant is right in every time zone, regardless of the zones before it', () => {
  const instant = new Date('2026-03-01T11:30:00Z')
  const zones = Intl.supportedValuesOf('timeZone')
  expect(zones.length).toBeGreaterThan(300)
  const days = new Set<string>()
  for (const zone of [...zones, ...zones.toReversed()]) {
    const local = new Intl.DateTimeFormat('sv', { timeZone: zone }).format(instant)
    expect({ zone, day: dayIn(zone, instant) }).toEqual({ zone, day: local })
    days.add(local)
  }
  expect(days).toEqual(new Set(['2026-03-01', '2026-03-02']))
})

it('an unknown time zone is refused each time', () => {
  for (const _ of [1, 2]) expect(() => dayFormatter('Atlantis/Poseidonis')).toThrow(RangeError)
})

test.each([
  [['Etc/Unknown', 'Asia/Tokyo'], 'Asia/Tokyo'],
  [['', undefined, null, 'Europe/Berlin'], 'Europe/Berlin'],
  [['+05:30', 'Mars/Olympus'], 'UTC'],
  [[], 'UTC'],
] as const)('of the time zones %j, %s is used', (names, zone) => {
  expect(usableZone(...names)).toBe(zone)
})

test.each([
  ['Asia/Tokyo', '2026-03-01T03:00:00.000Z'],
  ['America/Los_Angeles', '2026-03-01T20:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-02-28T22:00:00.000Z'],
])('noon in %s is %s', (zone, noon) => {
  expect(noonIn(zone, '2026-03-01').toISOString()).toBe(noon)
})

test.each([
  ['Europe/Berlin', '2026-11-30T10:00', '2026-11-30T09:00:00.000Z'],
  ['America/New_York', '2026-07-01T23:59', '2026-07-02T03:59:00.000Z'],
  ['Asia/Kathmandu', '2026-01-01T00:00', '2025-12-31T18:15:00.000Z'],
  // Skipped: it moves on, by half an hour where clocks do so.
  ['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T01:30:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z'],
  // Shown twice: the first.
  ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30:00.000Z'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  // The day that Samoa left out.
  ['Pacific/Apia', '2011-12-30T10:00', '2011-12-30T20:00:00.000Z'],
  ['UTC', '', 'Invalid Date'],
])('in %s, clocks show “%s” at %s', (zone, local, instant) => {
  const found = instantIn(zone, local)
  expect(Number.isNaN(found.getTime()) ? String(found) : found.toISOString()).toBe(instant)
})
