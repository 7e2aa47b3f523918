import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event } from '#contract/events.ts'
import { forgetProxy } from '#web/api/authorization.ts'
import { storeToken } from '#web/api/token.ts'
import { EventStream } from './event-stream.ts'

const encoder = new TextEncoder()

/** A server whose responses the test controls, one for each connection. */
function server(...answers: (() => Response)[]) {
  const tokens: (string | null)[] = []
  const fetching = vi.fn<typeof fetch>(async (_path, { headers, signal } = {}) => {
    tokens.push(new Headers(headers).get('authorization'))
    const answer = answers.shift()?.() ?? new Response(open(signal))
    return answer
  })
  vi.stubGlobal('fetch', fetching)
  return { tokens, fetching }
}

const said = (...texts: string[]) => new Response(texts.map((text) => `data: ${text}\n\n`).join(''))

/** A body that sends nothing until it is aborted. */
const open = (signal: AbortSignal | null | undefined) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode('data: {"type":"ready"}\n\n'))
      signal?.addEventListener('abort', () => controller.error(signal.reason))
    },
  })

let received: Event[]
let stop: AbortController
let stream: EventStream
let following: Promise<void>

function follow() {
  following = stream.follow(stop.signal)
}

beforeEach(() => {
  forgetProxy()
  vi.useFakeTimers()
  storeToken('first')
  received = []
  stop = new AbortController()
  stream = new EventStream((event) => received.push(event))
})
afterEach(async () => {
  stop.abort()
  await following
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a stream that ends is reopened with the current token', async () => {
  const { tokens } = server(() => said('{"type":"ready"}', '{"type":"notifications"}'))
  follow()
  await vi.advanceTimersByTimeAsync(0)
  expect(received).toEqual([{ type: 'ready' }, { type: 'notifications' }])
  storeToken('second')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tokens).toEqual(['Bearer first', 'Bearer second'])
})

test('events are parsed regardless of chunk boundaries, and heartbeats are ignored', async () => {
  const text = ': still here\n\ndata: {"type":"ready"}\n\ndata: {"type":"drafts"}\n\n'
  server(
    () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const character of text) controller.enqueue(encoder.encode(character))
            controller.close()
          },
        }),
      ),
  )
  follow()
  await vi.advanceTimersByTimeAsync(0)
  expect(received).toEqual([{ type: 'ready' }, { type: 'drafts' }])
})

test('an overloaded server is retried after its Retry-After', async () => {
  const { fetching } = server(() => new Response('', { status: 503, headers: { 'retry-after': '100' } }))
  follow()
  await vi.advanceTimersByTimeAsync(49_000)
  expect(fetching).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(102_000)
  expect(fetching.mock.calls.length).toBeGreaterThan(1)
})

test('a connection that is silent for a minute is replaced', async () => {
  const { fetching } = server()
  follow()
  await vi.advanceTimersByTimeAsync(55_000)
  expect(fetching).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(fetching).toHaveBeenCalledTimes(2)
})

test('a renewed token is used', async () => {
  const { tokens } = server()
  follow()
  await vi.advanceTimersByTimeAsync(1_000)
  storeToken('second')
  await vi.advanceTimersByTimeAsync(15_000)
  expect(tokens).toEqual(['Bearer first', 'Bearer second'])
})

test('without a token no request is sent', async () => {
  storeToken(null)
  const { fetching } = server()
  follow()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fetching).not.toHaveBeenCalled()
})
