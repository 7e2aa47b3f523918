import type { Logger } from 'pino'
import type { Rendering } from '#markdown/rendering.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { createChildPool } from '#server/platform/child-pool.ts'
import { type Client, FairQueue } from '#server/platform/limits/fair-queue.ts'
import type { Task } from './render-task.ts'

/** Renders Markdown outside the server's main thread. */
export type Renderer = {
  /**
   * Renders Markdown, or plain text if it exceeds the limits of time or memory. Requests of different clients
   * take turns. Throws `unavailable` if it would wait too long or no process can render, and `too_many_requests` for a
   * client with too many requests.
   */
  render: (client: Client, content: string) => Promise<Rendering>
  /** Terminates the child process. */
  close: () => Promise<void>
}

type Limits = {
  /** The time limit of each attempt. Later attempts use a new process, in case the machine was slow. */
  attemptsMs: readonly number[]
  heapMegabytes: number
  idleMs: number
}

const LIMITS: Limits = { attemptsMs: [1_000, 2_000], heapMegabytes: 192, idleMs: 60_000 }

/** The time limit for linear work and for the start of a process. */
const PLAIN_TIMEOUT_MS = 30_000

/** Renders in one child process, which is started with the first text and ends after an idle time. */
export function createRenderer(log: Logger, limits = LIMITS): Renderer {
  const tooMany = 'Your earlier texts are still being saved.'
  const queue = new FairQueue({ atOnce: 1, waiting: 200, each: 50, waitMs: 8_000, tooMany })
  const pool = createChildPool<Task, Rendering>(new URL('./render-task.ts', import.meta.url), limits)

  /** Plain text is within the limits. If it is not rendered either, the machine is at fault, not the text. */
  async function renderPlain(content: string): Promise<Rendering> {
    try {
      return await pool.run({ content, as: 'plain' }, PLAIN_TIMEOUT_MS)
    } catch (error) {
      if (error instanceof AppError) throw error
      log.error({ err: error, characters: content.length }, 'a text cannot be rendered')
      throw new AppError('unavailable', 'This cannot be done right now', { retryAfter: 30 })
    }
  }

  /** Renders within a time limit; returns why it did not. */
  async function attempt(content: string, ms: number): Promise<Rendering | { failure: unknown }> {
    // The start of a new process does not count towards the time limit of the text.
    if (!pool.isStarted()) await renderPlain('')
    try {
      return await pool.run({ content, as: 'markdown' }, ms)
    } catch (failure) {
      return { failure }
    }
  }

  return {
    async render(client, content) {
      let err: unknown
      // Each attempt has its own turn, so that nobody waits for all those of a text that takes too long.
      for (const ms of limits.attemptsMs) {
        const outcome = await queue.run(client, () => attempt(content, ms))
        if (!('failure' in outcome)) return outcome
        err = outcome.failure
      }
      log.warn({ err, characters: content.length }, 'a text exceeds the limits and is rendered as plain text')
      return queue.run(client, () => renderPlain(content))
    },
    close: pool.close,
  }
}
