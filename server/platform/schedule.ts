import { type Kysely, sql, type Transaction } from 'kysely'
import type { BaseLogger } from 'pino'
import { MINUTE_MS } from '#contract/parts/durations.ts'
import type { Schema } from '#server/database/rows.ts'

/**
 * Background work that every process repeats. It must be safe if several processes run it concurrently. When the process shuts
 * down, `stop` is aborted: a run with a backlog then ends after the current batch.
 */
export type ScheduledTask = { name: string; everyMs: number; run: (stop?: AbortSignal) => Promise<void> }

/** A task with a longer interval runs first after this time: a server that is restarted each night has to run it, too. */
const FIRST_MS = 5 * MINUTE_MS

/**
 * Runs each task at its interval, and skips it while the previous run has not ended. A failure is logged and does not stop
 * further runs. Returns the function that stops the schedule and waits for running tasks.
 */
export function startSchedule(tasks: ScheduledTask[], log: Pick<BaseLogger, 'warn'>): () => Promise<void> {
  const running = new Map<ScheduledTask, Promise<void>>()
  const stop = new AbortController()

  async function runOnce(task: ScheduledTask) {
    try {
      await task.run(stop.signal)
    } catch (error) {
      log.warn({ err: error }, `the scheduled ${task.name} failed; it will be tried again`)
    } finally {
      running.delete(task)
    }
  }

  const timers: NodeJS.Timeout[] = []
  for (const task of tasks) {
    const begin = () => {
      if (!running.has(task)) running.set(task, runOnce(task))
    }
    timers.push(setInterval(begin, task.everyMs))
    if (task.everyMs > FIRST_MS) timers.push(setTimeout(begin, FIRST_MS))
  }
  return async () => {
    timers.forEach(clearTimeout)
    stop.abort()
    await Promise.all(running.values())
  }
}

/**
 * Deletes in batches, each in its own transaction, until one deletes fewer rows than `batchSize` or `stop` is aborted. If several
 * processes do so under the same name, all but one return immediately. `deleteBatch` returns the number of deleted rows,
 * for several kinds the largest number.
 */
export async function deleteInBatches(
  db: Kysely<Schema>,
  { name, batchSize, stop }: { name: string; batchSize: number; stop?: AbortSignal },
  deleteBatch: (trx: Transaction<Schema>) => Promise<number>,
): Promise<void> {
  for (;;) {
    const deleted = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${`milepost ${name}`}, 0)) as locked`.execute(trx)
      return rows[0]?.locked ? deleteBatch(trx) : 0
    })
    if (deleted < batchSize || stop?.aborted) return
  }
}
