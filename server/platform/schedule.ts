import type { BaseLogger } from 'pino'

type Repetition = { name: string; pauseMs: number; log: BaseLogger }

/**
 * Does a piece of work now and then, one at a time, until the function that it answers is called, which waits for
 * work that runs. A failure is logged, and the next time comes all the same.
 */
export function startRepeating(
  work: () => Promise<void>,
  { name, pauseMs, log }: Repetition,
): () => Promise<void> {
  let running = Promise.resolve()
  let isRunning = false

  async function once() {
    isRunning = true
    try {
      await work()
    } catch (error) {
      log.warn({ err: error }, `${name} failed; the next time follows`)
    } finally {
      isRunning = false
    }
  }

  const timer = setInterval(() => {
    if (!isRunning) running = once()
  }, pauseMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
