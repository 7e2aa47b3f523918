import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { createBatchLoader } from './batch-loader.ts'

const immediate = promisify(setImmediate)

function recordedLoader() {
  const queries: string[][] = []
  const load = createBatchLoader(async (keys) => {
    queries.push([...keys])
    return new Map(keys.filter((key) => key !== 'absent').map((key) => [key, `${key} ${queries.length}`]))
  })
  return { queries, load }
}

it('keys that are requested together are loaded by one query, each once', async () => {
  const { queries, load } = recordedLoader()
  expect(await Promise.all(['a', 'b', 'a', 'absent'].map(load))).toEqual(['a 1', 'b 1', 'a 1', null])
  expect(queries).toEqual([['a', 'b', 'absent']])
})

it('a result is never reused for a request that arrives after its query began', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let queries = 0
  const load = createBatchLoader(async (keys) => {
    queries += 1
    const number = queries
    if (number === 1) await promise
    return new Map(keys.map((key) => [key, number]))
  })
  const early = load('a')
  await expect.poll(() => queries).toBe(1)
  expect(await load('a')).toBe(2)
  resolve()
  expect(await early).toBe(1)
})

it('keys that are requested while a query runs wait for it and share the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { promise, resolve } = Promise.withResolvers<void>()
  const queries: string[][] = []
  const load = createBatchLoader(async (keys) => {
    queries.push([...keys])
    if (queries.length === 1) await promise
    return new Map(keys.map((key) => [key, true]))
  })
  const first = load('a')
  await immediate()
  await immediate()
  expect(queries).toEqual([['a']])
  const later = [load('b')]
  await immediate()
  later.push(load('c'))
  resolve()
  await Promise.all([first, ...later])
  expect(queries).toEqual([['a'], ['b', 'c']])
  vi.useRealTimers()
})

it('keys that are requested while the results of a query are sent share the next one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const queries: string[][] = []
  const load = createBatchLoader(async (keys) => {
    queries.push([...keys])
    if (queries.length === 1) await promise
    return new Map(keys.map((key) => [key, true]))
  })
  const first = load('a')
  await immediate()
  await immediate()
  const waiting = load('b')
  resolve()
  await first
  await immediate()
  await Promise.all([waiting, load('c')])
  expect(queries).toEqual([['a'], ['b', 'c']])
})

it('a failed query fails its own keys, and the next one runs', async () => {
  let isBroken = true
  const load = createBatchLoader(async (keys) => {
    if (isBroken) throw new Error('away')
    return new Map(keys.map((key) => [key, true]))
  })
  await expect(load('a')).rejects.toThrow('away')
  isBroken = false
  expect(await load('a')).toBe(true)
})
