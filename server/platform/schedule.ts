import { type Kysely, sql, type Transaction } from 'kysely'
import type { BaseLogger } from 'pino'
import type { Schema } from '#server/database/rows.ts'

/** Background work that every process repeats. It must be safe if several processes run it concurrently. */
export type ScheduledTask = { name: string; everyMs: number; run: () => Promise<void> }

/**
 * Runs each task at its interval, and skips it while the previous run has not ended. A failure is logged and does not stop
 * further runs. Returns the function that stops the schedule and waits for running tasks.
 */
export function startSchedule(tasks: ScheduledTask[], log: Pick<BaseLogger, 'warn'>): () => Promise<void> {
  const running = new Map<ScheduledTask, Promise<void>>()

  async function runOnce(task: ScheduledTask) {
    try {
      await task.run()
    } catch (error) {
      log.warn({ err: error }, `the scheduled ${task.name} failed; it will be tried again`)
    } finally {
      running.delete(task)
    }
  }

  const timers = tasks.map((task) =>
    setInterval(() => {
      if (!running.has(task)) running.set(task, runOnce(task))
    }, task.everyMs),
  )
  return async () => {
    timers.forEach(clearInterval)
    await Promise.all(running.values())
  }
}

/**
 * Deletes in batches, each in its own transaction, until one deletes fewer rows than `batchSize`. If several
 * processes do so under the same name, all but one return immediately. `deleteBatch` returns the number of deleted rows,
 * for several kinds the largest number.
 */
export async function deleteInBatches(
  db: Kysely<Schema>,
  { name, batchSize }: { name: string; batchSize: number },
  deleteBatch: (trx: Transaction<Schema>) => Promise<number>,
): Promise<void> {
  for (;;) {
    const deleted = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${`milepost ${name}`}, 0)) as locked`.execute(trx)
      return rows[0]?.locked ? deleteBatch(trx) : 0
    })
    if (deleted < batchSize) return
  }
}
