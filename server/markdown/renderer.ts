import type { Logger } from 'pino'
import type { Rendering } from '#markdown/rendering.ts'
import { createChildPool } from '#server/platform/child-pool.ts'
import { createFairQueue } from '#server/platform/load/concurrency.ts'
import type { Task } from './render-task.ts'

/** Turns what people wrote into HTML, away from the thread that serves them. */
export type Renderer = {
  /**
   * Renders Markdown, or plain text if it exceeds the limits of time or memory. `person` is who requests it: people
   * take turns. Throws `unavailable` if it would wait too long, and `too_many_requests` for a person with too many
   * requests.
   */
  render: (person: string, content: string) => Promise<Rendering>
  /** Ends the child process. */
  close: () => Promise<void>
}

type Limits = {
  /** How long a text may take, and then how long again in a new process, in case it was the machine that was slow. */
  attemptsMs: readonly number[]
  heapMegabytes: number
  idleMs: number
}

const LIMITS: Limits = { attemptsMs: [1_000, 2_000], heapMegabytes: 192, idleMs: 60_000 }

/** A limit for what is linear and for the start of a process. */
const PLAIN_TIMEOUT_MS = 30_000

/**
 * Renders in one child process, started with the first text and ended when there is none for a while.
 */
export function createRenderer(log: Logger, limits = LIMITS): Renderer {
  const tooMany = 'Your earlier texts are still being saved.'
  const queue = createFairQueue({ longest: 200, each: 50, timeoutMs: 8_000, tooMany })
  const pool = createChildPool<Task, Rendering>(new URL('./render-task.ts', import.meta.url), limits)
  const run = (content: string, as: Rendering['renderedAs'], ms: number) => pool.run({ content, as }, ms)

  async function attempt(content: string): Promise<Rendering> {
    let failure: unknown
    for (const ms of limits.attemptsMs) {
      // The time that a new process takes to start is not the text's.
      if (!pool.isStarted()) await run('', 'plain', PLAIN_TIMEOUT_MS)
      try {
        return await run(content, 'markdown', ms)
      } catch (error) {
        failure = error
      }
    }
    log.warn({ err: failure, characters: content.length }, 'a text is shown as plain: it broke its limits')
    return run(content, 'plain', PLAIN_TIMEOUT_MS)
  }

  return {
    render: (person, content) => queue(person, () => attempt(content)),
    close: pool.close,
  }
}
