import { expect, test } from 'vitest'
import { CANNOT_START_CODE, TEMPORARY_FAILURE_CODE } from '#server/cannot-start.ts'
import { supervise } from './supervise.mjs'

const KILLED = 137

/** Supervises a server with the listed lifetimes and exit codes, on a fake clock. */
async function run(lives: { ms?: number; code: number }[], onPause: () => void = () => undefined) {
  let now = 0
  let starts = 0
  const said: string[] = []
  const pauses: number[] = []
  const code = await supervise(
    async () => {
      const life = lives[starts]
      starts += 1
      now += life?.ms ?? 1_000
      return life?.code ?? 0
    },
    {
      now: () => now,
      pause: async (ms) => {
        pauses.push(ms / 1000)
        onPause()
      },
      say: (text) => void said.push(text),
    },
  )
  return { code, starts, said, pauses }
}

test('a server that dies is restarted, and one log line reports it', async () => {
  expect(await run([{ code: KILLED }, { code: 0 }])).toEqual({
    code: 0,
    starts: 2,
    said: ['The server died (exit code 137); starting it again in 1 s.'],
    pauses: [1],
  })
})

test('a server that exits regularly is not restarted', async () => {
  expect(await run([{ code: 0 }])).toEqual({ code: 0, starts: 1, said: [], pauses: [] })
})

test('a first start that fails with a startup error is not retried', async () => {
  expect(await run([{ code: CANNOT_START_CODE }])).toEqual({
    code: CANNOT_START_CODE,
    starts: 1,
    said: [],
    pauses: [],
  })
  expect(await run([{ code: TEMPORARY_FAILURE_CODE }])).toMatchObject({ code: 75, starts: 1, said: [] })
  // The settings were valid at an earlier start, so the cause may be temporary.
  expect(await run([{ code: KILLED }, { code: CANNOT_START_CODE }, { code: 0 }])).toMatchObject({ starts: 3 })
})

test('a restart that fails temporarily is retried until it succeeds', async () => {
  const failures = Array.from({ length: 99 }, () => ({ code: TEMPORARY_FAILURE_CODE }))
  const { code, starts, said, pauses } = await run([{ code: KILLED }, ...failures, { code: 0 }])
  expect({ code, starts }).toEqual({ code: 0, starts: 101 })
  expect(new Set(said.slice(1))).toEqual(new Set(['The server cannot start yet; trying again in 5 s.']))
  expect(new Set(pauses.slice(1))).toEqual(new Set([5]))
})

test('a server that keeps crashing is restarted with backoff, and given up after five quick crashes in a row', async () => {
  const { code, starts, said, pauses } = await run(Array.from({ length: 9 }, () => ({ code: 134 })))
  expect({ code, starts, pauses }).toEqual({ code: 134, starts: 5, pauses: [1, 2, 4, 8] })
  expect(said.at(-1)).toBe(
    'The server died 5 times in a row (last with exit code 134); not starting it again.',
  )
})

test('a server that crashes occasionally is restarted each time, after a second', async () => {
  const { starts, pauses } = await run(Array.from({ length: 9 }, () => ({ ms: 61_000, code: 1 })))
  expect({ starts, pauses }).toEqual({ starts: 10, pauses: Array(9).fill(1) })
})

test('a termination signal stops the restarts, whether the server runs or a restart is pending', async () => {
  const asked = () => void process.emit('SIGTERM', 'SIGTERM')
  expect(await run([{ code: KILLED }, { code: KILLED }], asked)).toMatchObject({ code: 0, starts: 1 })
  const ended = supervise(
    async () => {
      asked()
      return 1
    },
    { say: () => expect.unreachable() },
  )
  expect(await ended).toBe(1)
  expect(process.listenerCount('SIGTERM')).toBe(0)
})
