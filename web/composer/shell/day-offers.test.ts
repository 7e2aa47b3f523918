import { afterEach, expect, test, vi } from 'vitest'
import { noteServerTime, serverAhead, serverNow } from '#web/api/server-clock.ts'
import { otherToday } from './day-offers.tsx'

afterEach(() => vi.useRealTimers())

const at = (time: string) => new Date(`${time}Z`)
const minutes = (here: Date, there: Date) => (there.getTime() - here.getTime()) / 60_000

test.each([
  ['days behind', 'UTC', '2026-11-20T10:00', '2026-11-27T10:00', '2026-11-27'],
  ['days ahead', 'UTC', '2026-12-01T10:00', '2026-11-27T10:00', '2026-11-27'],
  ['hours behind, over midnight', 'UTC', '2026-11-26T22:00', '2026-11-27T01:00', '2026-11-27'],
  [
    'hours behind, over midnight of the zone',
    'Asia/Tokyo',
    '2026-11-26T13:00',
    '2026-11-26T16:00',
    '2026-11-27',
  ],
  ['hours behind on the same day', 'UTC', '2026-11-27T01:00', '2026-11-27T10:00', null],
  ['hours behind on the same day of the zone', 'Asia/Tokyo', '2026-11-26T16:00', '2026-11-27T10:00', null],
  ['seconds behind at midnight', 'UTC', '2026-11-26T23:59', '2026-11-27T00:01', null],
  ['right', 'UTC', '2026-11-27T10:00', '2026-11-27T10:00', null],
])('a clock that is %s', (_how, zone, here, there, expected) => {
  expect(otherToday(zone, minutes(at(here), at(there)), at(here), at(there))).toBe(expected)
})

test('the Date of a response tells the time of the server', () => {
  vi.useFakeTimers({ now: at('2026-11-20T10:00:30') })
  const heard = vi.fn<() => void>()
  const stop = serverAhead.subscribe(heard)
  noteServerTime('Fri, 27 Nov 2026 10:00:31 GMT')
  noteServerTime('Fri, 27 Nov 2026 10:00:32 GMT')
  noteServerTime('a proxy wrote this')
  noteServerTime(null)
  expect(heard).toHaveBeenCalledOnce()
  expect(serverNow().toISOString().slice(0, 10)).toBe('2026-11-27')
  stop()
  noteServerTime('Fri, 20 Nov 2026 10:00:30 GMT')
  expect(serverAhead.read()).toBe(0)
})
