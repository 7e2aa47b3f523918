import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Incremental, inPieces, LONGEST_MS, STALLED_MS, streamChunks, writeJson } from './json-stream.ts'
import { textOf } from './testing.ts'

/** The same value with all its lists as async iterables. */
function incremental(value: unknown): Incremental<unknown> {
  if (Array.isArray(value)) {
    return (async function* () {
      for (const item of value) yield incremental(item)
    })()
  }
  return value
}

describe('streamed JSON', () => {
  it('equals that of JSON.stringify', async () => {
    const json = fc.jsonValue({ maxDepth: 4 })
    const fields = fc.oneof(fc.array(json), fc.constant(undefined))
    const values = fc.oneof(json, fc.array(json), fc.dictionary(fc.string(), fields))
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const lists = Object.fromEntries(Object.entries(Object(value)).map(([k, v]) => [k, incremental(v)]))
        const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value)
        expect(await textOf(writeJson(isPlain ? lists : incremental(value)))).toBe(JSON.stringify(value))
      }),
      { numRuns: 200, seed: 20_260_101 },
    )
  })
})

describe('a result in pieces', () => {
  const textOfPieces = async (result: object) => {
    const pieces = inPieces(result)
    return typeof pieces === 'string' ? pieces : await text(pieces)
  }

  it('equals that of JSON.stringify', async () => {
    const json = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(undefined))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.array(json), fc.dictionary(fc.string(), json)), async (value) => {
        expect(await textOfPieces(value)).toBe(JSON.stringify(value))
      }),
      { numRuns: 300, seed: 20_261_130 },
    )
  })

  it('equals that of JSON.stringify with thousands of items, alone and beside others', async () => {
    for (const length of [1, 3, 5_000]) {
      const items = Array.from({ length }, (_, number) => ({ number, title: 'x'.repeat(number % 100) }))
      expect(await textOfPieces(items)).toBe(JSON.stringify(items))
      const page = { before: null, items, after: { pages: 3 } }
      expect(await textOfPieces(page)).toBe(JSON.stringify(page))
    }
  })
})

describe('a long answer, however fast its reader,', () => {
  /** Returns how often the event loop turns during the work. */
  async function turnsDuring(work: Promise<unknown>): Promise<number> {
    let turns = 0
    let next = setImmediate(function turn() {
      turns += 1
      next = setImmediate(turn)
    })
    await work
    clearImmediate(next)
    return turns
  }

  const PIECES = 20
  const items = Array.from({ length: PIECES }, () => 'x'.repeat(70_000))

  it.each([[items], [{ page: 1, items }]])('lets others run between the items of a list', async (result) => {
    expect(await turnsDuring(text(inPieces(result) as Readable))).toBeGreaterThanOrEqual(PIECES)
  })

  it('lets others run between the pieces of a stream', async () => {
    const place = { taken: new AbortController().signal, advance() {}, keep() {}, release() {} }
    const pieces = writeJson(incremental(items))
    const stream = streamChunks({ text: '', isLast: false }, pieces, place)
    expect(await turnsDuring(text(stream))).toBeGreaterThanOrEqual(PIECES)
  })
})

describe('the client of a stream', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => vi.useRealTimers())

  /** An endless stream, and its outcome. */
  function endless() {
    const seen = { cleanedUp: false, released: 0 }
    async function* pieces() {
      try {
        for (;;) yield 'x'.repeat(70_000)
      } finally {
        seen.cleanedUp = true
      }
    }
    const source = pieces()
    const end = new AbortController()
    const place = {
      taken: end.signal,
      advance() {},
      keep() {},
      release() {
        seen.released += 1
      },
    }
    const stream = streamChunks({ text: '', isLast: false }, source, place)
    return { stream, seen, begin: () => source.next() }
  }

  it('is disconnected if it reads nothing for thirty seconds, which releases its resources', async () => {
    const { stream, seen, begin } = endless()
    await begin()
    stream.once('readable', () => stream.read())
    const failed = once(stream, 'error').catch((error: unknown) => error)
    const ended = new Promise((resolve) => stream.once('close', resolve))
    stream.on('error', () => undefined)
    await once(stream, 'readable')
    await vi.advanceTimersByTimeAsync(STALLED_MS - 1)
    expect(stream.destroyed).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await ended
    expect([await failed].flat()[0]).toMatchObject({ message: 'the reader of a stream took too long' })
    expect(seen).toEqual({ cleanedUp: true, released: 1 })
  })

  it('is disconnected after ten minutes if it reads slowly', async () => {
    const { stream, seen, begin } = endless()
    await begin()
    const ended = new Promise((resolve) => stream.once('close', resolve))
    let message = ''
    stream.on('error', (error) => {
      message = error.message
    })
    const steps = Math.ceil(LONGEST_MS / (STALLED_MS - 1))
    let alive = 0
    for (let step = 0; step < steps; step += 1) {
      stream.read()
      await vi.advanceTimersByTimeAsync(STALLED_MS - 1)
      if (!stream.destroyed) alive += 1
    }
    await ended
    expect(alive).toBe(steps - 1)
    expect(message).toBe('a stream took too long in all')
    expect(seen).toEqual({ cleanedUp: true, released: 1 })
  })
})
