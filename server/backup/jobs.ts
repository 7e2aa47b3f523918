import type { Client } from 'pg'
import { type JobInsert, PgBoss } from 'pg-boss'

export type JobsIn = {
  /** Promises the work again, with what else the connection's transaction does. */
  add(queue: string, jobs: JobInsert[]): Promise<void>
}

/** Makes the queues, before the transaction in which work is promised in them again. */
export async function openQueues(client: Client, queues: string[]): Promise<JobsIn | undefined> {
  if (queues.length === 0) return undefined
  const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
  const boss = new PgBoss({ db, schema: 'jobs', schedule: false, supervise: false })
  await boss.start()
  for (const queue of queues) await boss.createQueue(queue)
  await boss.stop()
  return {
    async add(queue, jobs) {
      await boss.insert(queue, jobs)
    },
  }
}
