import { setTimeout as sleep, setImmediate as untilIdle } from 'node:timers/promises'

/** Between the starts of two look-ups: at most this long somebody waits for company. */
const PAUSE_MS = 2

/**
 * Answers many single questions by few look-ups. A look-up begins only after its questions were asked, so no answer is
 * older than its question; at a quiet time it begins at once.
 */
export function gathered<Value>(
  lookUp: (keys: readonly string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let waiting: { keys: Set<string>; answers: Promise<Map<string, Value>> } | null = null
  let lastStart = Number.NEGATIVE_INFINITY

  async function begin(keys: Set<string>) {
    const pause = lastStart + PAUSE_MS - performance.now()
    await (pause > 0 ? sleep(pause) : untilIdle())
    waiting = null
    lastStart = performance.now()
    return lookUp([...keys])
  }

  return async (key) => {
    if (!waiting) {
      const keys = new Set<string>()
      waiting = { keys, answers: begin(keys) }
    }
    waiting.keys.add(key)
    return (await waiting.answers).get(key)
  }
}
