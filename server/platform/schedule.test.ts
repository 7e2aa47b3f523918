import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startSchedule } from './schedule.ts'

const log = { warn: vi.fn<() => void>() }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  log.warn.mockClear()
})

it('a task runs at its interval, and is skipped while it is still running', async () => {
  const held: (() => void)[] = []
  const slow = vi.fn<() => Promise<void>>(() => new Promise((resolve) => held.push(resolve)))
  const quick = vi.fn<() => Promise<void>>(async () => {})
  const stop = startSchedule(
    [
      { name: 'slow', everyMs: 100, run: slow },
      { name: 'quick', everyMs: 250, run: quick },
    ],
    log,
  )
  expect(slow).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(500)
  expect([slow.mock.calls.length, quick.mock.calls.length]).toEqual([1, 2])
  held.shift()?.()
  await vi.advanceTimersByTimeAsync(100)
  expect(slow).toHaveBeenCalledTimes(2)
  held.shift()?.()
  await stop()
})

it('a task of each day also runs soon after the start, so that a restart every night does not prevent it', async () => {
  const run = vi.fn<() => Promise<void>>(async () => {})
  const stop = startSchedule([{ name: 'cleanup', everyMs: 24 * 60 * 60_000, run }], log)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(run).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(24 * 60 * 60_000)
  expect(run).toHaveBeenCalledTimes(2)
  await stop()
})

it('a task that fails is logged and runs again', async () => {
  const run = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('no database')).mockResolvedValue()
  const stop = startSchedule([{ name: 'cleanup', everyMs: 100, run }], log)
  await vi.advanceTimersByTimeAsync(200)
  expect(run).toHaveBeenCalledTimes(2)
  expect(log.warn).toHaveBeenCalledTimes(1)
  await stop()
})

it('stopping tells the running task, waits for it, and starts no further one', async () => {
  const held = Promise.withResolvers<void>()
  const run = vi.fn<(stop?: AbortSignal) => Promise<void>>(() => held.promise)
  const stop = startSchedule([{ name: 'cleanup', everyMs: 100, run }], log)
  await vi.advanceTimersByTimeAsync(100)
  const onStopped = vi.fn<() => void>()
  const stopping = stop().finally(onStopped)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(onStopped).not.toHaveBeenCalled()
  expect(run.mock.lastCall?.[0]?.aborted).toBe(true)
  held.resolve()
  await stopping
  await vi.advanceTimersByTimeAsync(1_000)
  expect(run).toHaveBeenCalledTimes(1)
})
