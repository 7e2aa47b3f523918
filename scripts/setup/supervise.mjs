import { setTimeout as wait } from 'node:timers/promises'
import { onTerminate } from './child.mjs'

/** The exit codes of startup errors that the server has printed, as in `server/cannot-start.ts`. The second may pass. */
const CANNOT_START = 78
const TEMPORARY_FAILURE = 75

/** A server that dies within this time counts as another quick crash in a row. */
const QUICK_MS = 60_000
const QUICK_DEATHS_MAX = 5
const LONGEST_PAUSE_S = 30
/** The pause after a temporary failure. */
const TEMPORARY_PAUSE_S = 5

/**
 * Runs a server with `start`, restarts it when it dies, and returns its last exit code. Does not restart it after an
 * orderly exit or a termination signal, after a startup error of its first start, or when it keeps dying. A temporary
 * failure of a restart is not a crash, and is retried until it passes.
 */
export async function supervise(start, { now = Date.now, pause = pauseFor, say = console.error } = {}) {
  const ending = new AbortController()
  const stopListening = onTerminate(() => ending.abort())
  let quickDeaths = 0
  try {
    for (let starts = 1; ; starts += 1) {
      const startedAt = now()
      const code = await start()
      if (code === 0 || ending.signal.aborted) return code
      if (starts === 1 && (code === CANNOT_START || code === TEMPORARY_FAILURE)) return code
      if (code === TEMPORARY_FAILURE) {
        quickDeaths = 0
        say(`The server cannot start yet; trying again in ${TEMPORARY_PAUSE_S} s.`)
        await pause(TEMPORARY_PAUSE_S * 1000, ending.signal)
        if (ending.signal.aborted) return 0
        continue
      }
      quickDeaths = now() - startedAt < QUICK_MS ? quickDeaths + 1 : 1
      if (quickDeaths >= QUICK_DEATHS_MAX) {
        say(
          `The server died ${quickDeaths} times in a row (last with exit code ${code}); not starting it again.`,
        )
        return code
      }
      const seconds = Math.min(2 ** (quickDeaths - 1), LONGEST_PAUSE_S)
      say(`The server died (exit code ${code}); starting it again in ${seconds} s.`)
      await pause(seconds * 1000, ending.signal)
      if (ending.signal.aborted) return 0
    }
  } finally {
    stopListening()
  }
}

/** Waits for a time, or until the signal aborts. */
async function pauseFor(ms, signal) {
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    if (error.name !== 'AbortError') throw error
  }
}
