import { setTimeout as sleep, setImmediate as untilHeard } from 'node:timers/promises'

/** How long a look-up that takes its time holds up the next one. */
const PATIENCE_MS = 20

/**
 * Answers many single questions by few look-ups: while one is under way, the questions of the next gather. A look-up
 * begins only after its questions were asked, so no answer is older than its question.
 */
export function gathered<Value>(
  lookUp: (keys: readonly string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let waiting: { keys: Set<string>; answers: Promise<Map<string, Value>> } | null = null
  let underWay: Promise<unknown> | null = null

  async function begin(keys: Set<string>) {
    await untilHeard()
    if (underWay) await Promise.race([underWay, sleep(PATIENCE_MS)])
    waiting = null
    const answers = lookUp([...keys])
    const end = answers.then(forget, forget)
    underWay = end
    return answers

    function forget() {
      if (underWay === end) underWay = null
    }
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
