import { setTimeout as sleep } from 'node:timers/promises'
import { EVENTS_PATH } from '#contract/events-path.ts'

export type Listener = {
  /** How often it heard `ready`: once for each time that its stream was opened. */
  ready: number
  /** Hints beside these. */
  heard: number
  leave(): void
}

const AGAIN_MS = 500

/** Listens to live events as a browser does: where the stream ends, it is opened anew. */
export function listen(at: string, token: string): Listener {
  const leaving = new AbortController()
  const listener: Listener = { ready: 0, heard: 0, leave: () => leaving.abort() }
  void keepListening(at + EVENTS_PATH, token, listener, leaving.signal)
  return listener
}

async function keepListening(url: string, token: string, listener: Listener, signal: AbortSignal) {
  while (!signal.aborted) {
    await hear(url, token, listener, signal).catch(() => undefined) // cut off: it is opened anew
    await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function hear(url: string, token: string, listener: Listener, signal: AbortSignal) {
  const { ok, body } = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal })
  if (!ok || !body) return
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    for (const line of chunk.split('\n')) {
      if (line === 'data: {"type":"ready"}') listener.ready += 1
      else if (line.startsWith('data: ')) listener.heard += 1
    }
  }
}

/** Waits until something holds; throws with `failure` where it does not in time. */
export async function eventually(holds: () => boolean, failure: string, ms = 30_000): Promise<void> {
  for (const deadline = Date.now() + ms; !holds(); await sleep(50))
    if (Date.now() > deadline) throw new Error(failure)
}
