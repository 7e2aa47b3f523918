import { afterEach, expect, it, vi } from 'vitest'
import { RequestCounts } from './requests.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

afterEach(() => {
  vi.useRealTimers()
})

function counted(counts: RequestCounts, address: string) {
  let result: { current: number; ttl: number } | undefined
  counts.incr(address, (_error, given) => (result = given), MINUTE)
  return result
}

it('requests are counted for each client and window', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const counts = new RequestCounts()
  expect(counted(counts, 'a')).toEqual({ current: 1, ttl: MINUTE })
  vi.advanceTimersByTime(MINUTE - 1)
  expect(counted(counts, 'a')).toEqual({ current: 2, ttl: 1 })
  expect(counted(counts, 'b')).toEqual({ current: 1, ttl: MINUTE })
  vi.advanceTimersByTime(1)
  expect(counted(counts, 'a')).toEqual({ current: 1, ttl: MINUTE })
})

it('requests from many networks of a site are counted together too', () => {
  const counts = new RequestCounts()
  const [first, ...others] = Array.from(
    { length: 24 },
    (_, at) => `2001:db8:1:${at.toString(16)}::/64 of a page`,
  )
  for (const network of others) counted(counts, network)
  expect(counted(counts, first ?? '')?.current).toBe(3)
  expect(counted(counts, '2001:db8:2:0::/64 of a page')?.current).toBe(1)
})

it('setting the clock back does not extend a window', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const counts = new RequestCounts()
  counted(counts, 'a')
  vi.setSystemTime(Date.now() - DAY)
  expect(counted(counts, 'a')?.ttl).toBeLessThanOrEqual(MINUTE)
  vi.advanceTimersByTime(MINUTE)
  expect(counted(counts, 'a')?.current).toBe(1)
})
