import { expect, it, test } from 'vitest'
import { dayFormatter, dayIn, noonIn, usableZone } from './date-formats.ts'

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
