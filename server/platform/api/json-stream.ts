import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { callbackify } from 'node:util'
import type { FastifyReply } from 'fastify'
import type { Client, FairQueue, Place } from '#server/platform/limits/fair-queue.ts'

declare const shape: unique symbol

/**
 * The JSON text of a result of type `T`, in chunks that are created while they are sent. An error before the first
 * `CHUNK` characters is sent like any other; a later one aborts the connection.
 */
export type JsonStream<T> = AsyncGenerator<string, void> & { readonly [shape]?: T }

/** A value whose lists may be async iterables. */
export type Incremental<T> = T extends readonly (infer Item)[]
  ? T | AsyncIterable<Incremental<Item>>
  : T extends object
    ? { [K in keyof T]: Incremental<T[K]> }
    : T

/** Characters in a chunk. A result that is not longer is sent as a whole. */
const CHUNK = 65_536
/** How long a client may take for a chunk, in milliseconds. */
export const STALLED_MS = 30_000
/** How long a stream may take in total, in milliseconds. */
export const LONGEST_MS = 600_000

/** Writes a value as `JSON.stringify` would, and async iterables item by item. */
export const writeJson = <T>(value: Incremental<T>): JsonStream<T> => piecesOf(value, '')

/** `before`: the text that precedes the value. It belongs to its first piece, because a piece costs more than its characters. */
async function* piecesOf(value: unknown, before: string): AsyncGenerator<string, void> {
  if (isAsync(value)) {
    let start = `${before}[`
    for await (const item of value) {
      yield* piecesOf(item, start)
      start = ','
    }
    yield start === ',' ? ']' : `${start}]`
  } else if (isIncremental(value)) {
    let text = `${before}{`
    let comma = ''
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue
      text += `${comma}${JSON.stringify(key)}:`
      comma = ','
      if (isAsync(inner) || isIncremental(inner)) {
        yield* piecesOf(inner, text)
        text = ''
      } else text += JSON.stringify(inner)
    }
    yield `${text}}`
  } else {
    yield before + JSON.stringify(value)
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isAsync = (value: unknown): value is AsyncIterable<unknown> =>
  isObject(value) && Symbol.asyncIterator in value

const isIncremental = (value: unknown): value is object =>
  isObject(value) && Object.values(value).some(isAsync)

export const isJsonStream = (result: Promise<unknown> | JsonStream<unknown>): result is JsonStream<unknown> =>
  Symbol.asyncIterator in result

/**
 * Sends a short result as a whole, and a longer one as a stream, which needs a place in the queue. If it has to wait, `again` creates
 * the result anew, because nobody waits with a connection to the database.
 */
export async function sendJsonStream(
  reply: FastifyReply,
  pieces: JsonStream<unknown>,
  again: () => JsonStream<unknown>,
  { queue, client }: { queue: FairQueue; client: Client },
): Promise<FastifyReply> {
  const first = await nextChunk(pieces)
  void reply.type('application/json; charset=utf-8')
  if (first.isLast) return reply.send(first.text)
  if (reply.request.method === 'HEAD') {
    await pieces.return()
    return reply.send(Readable.from([])) // without Content-Length, which is unknown
  }
  let place: Place | undefined
  try {
    place = queue.tryEnter(client)
    if (place) return reply.send(streamChunks(first, pieces, place))
  } finally {
    if (!place) await pieces.return()
  }
  place = await queue.enter(client)
  try {
    if (reply.raw.destroyed) throw new Error('the reader of a stream left before its turn')
    const repeated = again()
    return reply.send(streamChunks(await nextChunk(repeated), repeated, place))
  } catch (error) {
    place.release()
    throw error
  }
}

type Chunk = { text: string; isLast: boolean }

async function nextChunk(pieces: JsonStream<unknown>): Promise<Chunk> {
  let text = ''
  while (text.length < CHUNK) {
    const piece = await pieces.next()
    if (piece.done) return { text, isLast: true }
    text += piece.value
  }
  return { text, isLast: false }
}

/**
 * A result as JSON: as a whole, or, from `CHUNK` characters, as a stream whose lists are written while it is sent and others are
 * served, so that many or long items do not block the event loop.
 */
export function inPieces(result: object): string | Readable {
  const pieces = piecesOfLists(result)
  const first = nextText(pieces)
  if (first.isLast) return first.text
  async function* chunks() {
    for (let chunk: Chunk = first; ; chunk = nextText(pieces)) {
      yield chunk.text
      if (chunk.isLast) return
      await setImmediate()
    }
  }
  return Readable.from(chunks(), { highWaterMark: 1 })
}

/** The JSON text of a list, or of an object and its lists, item by item. */
function* piecesOfLists(value: object, before = ''): Generator<string, void> {
  if (Array.isArray(value)) {
    let start = `${before}[`
    for (const item of value) {
      yield start + (JSON.stringify(item) ?? 'null')
      start = ','
    }
    yield start === ',' ? ']' : `${start}]`
    return
  }
  let start = `${before}{`
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue
    const text = `${start}${JSON.stringify(key)}:`
    if (Array.isArray(inner)) yield* piecesOfLists(inner, text)
    else yield text + JSON.stringify(inner)
    start = ','
  }
  yield start === ',' ? '}' : `${start}}`
}

function nextText(pieces: Generator<string, void>): Chunk {
  let text = ''
  while (text.length < CHUNK) {
    const piece = pieces.next()
    if (piece.done) return { text, isLast: true }
    text += piece.value
  }
  return { text, isLast: false }
}

/**
 * A stream that creates a chunk when the previous one was read. It fails if the client takes too long, or loses its place to another.
 * When it ends, for whatever reason, `pieces` cleans up and then the place is released.
 */
export function streamChunks(first: Chunk, pieces: JsonStream<unknown>, place: Place): Readable {
  let waiting: Chunk | undefined = first
  let stalled: NodeJS.Timeout | undefined
  const stream = new Readable({
    highWaterMark: CHUNK,
    read() {
      clearTimeout(stalled)
      // After the requests of others, because a fast reader waits for nothing else.
      const chunk = waiting ? Promise.resolve(waiting) : setImmediate().then(() => nextChunk(pieces))
      waiting = undefined
      chunk.then(push, fail)
    },
    destroy(error, done) {
      cleanUp((late) => done(error ?? late))
    },
  })
  const cleanUp = callbackify(async () => {
    clearTimeout(stalled)
    clearTimeout(longest)
    try {
      await pieces.return()
    } finally {
      place.release()
    }
  })
  const fail = (error: Error) => stream.destroy(error)
  place.taken.addEventListener('abort', () => fail(new Error('a stream gave way to one that waited')))
  const longest = setTimeout(() => fail(new Error('a stream took too long in all')), LONGEST_MS)

  function push({ text, isLast }: Chunk): void {
    if (stream.destroyed) return
    stalled = setTimeout(() => fail(new Error('the reader of a stream took too long')), STALLED_MS)
    place.advance(text.length)
    stream.push(text)
    if (isLast) stream.push(null)
  }
  return stream
}
