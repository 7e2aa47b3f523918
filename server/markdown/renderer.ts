import type { Logger } from 'pino'
import type { Rendering } from '#markdown/rendering.ts'
import { createChildPool } from '#server/platform/child-pool.ts'
import { AppError } from '#server/platform/errors.ts'
import { createFairQueue } from '#server/platform/load/concurrency.ts'
import type { Task } from './render-task.ts'

/** Turns what people wrote into HTML, away from the thread that serves them. */
export type Renderer = {
  /**
   * Renders Markdown, or plain text if it exceeds the limits of time or memory. `person` is who requests it: people
   * take turns. Throws `unavailable` if it would wait too long or no process can render, and `too_many_requests` for a person with too many
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

/** The time limit for linear work and for the start of a process. */
const PLAIN_TIMEOUT_MS = 30_000

/**
 * Renders in one child process, started with the first text and ended when there is none for a while.
 */
export function createRenderer(log: Logger, limits = LIMITS): Renderer {
  const tooMany = 'Your earlier texts are still being saved.'
  const queue = createFairQueue({ longest: 200, each: 50, timeoutMs: 8_000, tooMany })
  const pool = createChildPool<Task, Rendering>(new URL('./render-task.ts', import.meta.url), limits)

  /** Plain text is within the limits: where not even that is rendered, it is the machine, and not the text. */
  async function renderPlain(content: string): Promise<Rendering> {
    try {
      return await pool.run({ content, as: 'plain' }, PLAIN_TIMEOUT_MS)
    } catch (error) {
      if (error instanceof AppError) throw error
      log.error({ err: error, characters: content.length }, 'a text cannot be rendered')
      throw new AppError('unavailable', 'This cannot be done right now', { retryAfter: 30 })
    }
  }

  async function attempt(content: string): Promise<Rendering> {
    let failure: unknown
    for (const ms of limits.attemptsMs) {
      // The time that a new process takes to start is not the text's.
      if (!pool.isStarted()) await renderPlain('')
      try {
        return await pool.run({ content, as: 'markdown' }, ms)
      } catch (error) {
        failure = error
      }
    }
    log.warn({ err: failure, characters: content.length }, 'a text is shown as plain: it broke its limits')
    return renderPlain(content)
  }

  return {
    render: (person, content) => queue(person, () => attempt(content)),
    close: pool.close,
  }
}
