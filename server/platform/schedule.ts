import { type Kysely, sql, type Transaction } from 'kysely'
import type { BaseLogger } from 'pino'
import type { Schema } from '#server/database/rows.ts'

/** Work that every process repeats in the background. It must be harmless where several do it at the same time. */
export type ScheduledTask = { name: string; everyMs: number; run: () => Promise<void> }

/**
 * Repeats each task at its interval, and skips a turn while the one before still runs. A failure is logged, and the next
 * turn comes all the same. Returns the function that stops the schedule, which waits for the tasks that run.
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
 * Deletes in batches, each in a transaction of its own, until one deletes fewer rows than `batchSize`. Of several
 * processes that do so under the same name one works, and the others return at once. `deleteBatch` returns how many rows
 * it deleted, or of several kinds the largest number.
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
