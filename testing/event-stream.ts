import { setTimeout as sleep } from 'node:timers/promises'
import { EVENTS_PATH } from '#contract/events-path.ts'

const RECONNECT_MS = 500

export type EventStream = {
  /** The number of accepted connections: one, unless the connection broke. */
  connected: number
  /** The number of received `ready` events: one each time the stream was opened. */
  opened: number
  /** The number of other received events. */
  events: number
  close(): void
}

/** Listens to live events like a browser: when the stream ends, it reconnects. */
export function openEventStream(origin: string, token: string): EventStream {
  const closing = new AbortController()
  const stream: EventStream = { connected: 0, opened: 0, events: 0, close: () => closing.abort() }
  void keepReading(origin + EVENTS_PATH, token, stream, closing.signal)
  return stream
}

async function keepReading(url: string, token: string, stream: EventStream, signal: AbortSignal) {
  while (!signal.aborted) {
    await read(url, token, stream, signal).catch(() => undefined) // the connection broke: reconnect
    await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function read(url: string, token: string, stream: EventStream, signal: AbortSignal) {
  const { ok, body } = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal })
  if (!ok || !body) return
  stream.connected += 1
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    for (const line of chunk.split('\n')) {
      if (line === 'data: {"type":"ready"}') stream.opened += 1
      else if (line.startsWith('data: ')) stream.events += 1
    }
  }
}
