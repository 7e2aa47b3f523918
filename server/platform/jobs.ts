import { type Kysely, sql, type Transaction } from 'kysely'
import type { fromKysely, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { JobQueue } from '#contract/administration.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** Durable jobs that are added in a transaction and run after it commits, even if this process ends. Work that repeats is in `schedule.ts`. */
export type Queue<Data extends object> = {
  /** Adds a job with the transaction: both commit, or neither. */
  add(trx: Transaction<Schema>, data: Data): Promise<void>
  /** Call it after the transaction commits, so that the job begins now and not at the next poll. */
  wake(): void
}

/** `Name`: the names of the queues; tests have others. */
export type Jobs<Name extends string = JobQueue> = {
  /**
   * Opens a queue whose jobs `work` runs, on any process. A job that throws is retried with backoff for some days. It
   * may run twice, so it first checks whether it is still due.
   */
  queue<Data extends object>(name: Name, work: (data: Data) => Promise<void>): Promise<Queue<Data>>
  /** Waits a while for running jobs. Jobs that do not finish run after the next start. */
  stop(): Promise<void>
}

export type Polling = {
  /** How often a process polls for jobs. */
  pollSeconds: number
  /** The delay before the first retry; each further one is about twice as long. */
  retrySeconds: number
  /** The longest delay before a retry. */
  longestPauseSeconds: number
}

/**
 * In these queues one process works at a time and at most one job waits; further jobs are dropped. They are listed here because
 * the policy of a queue is fixed when it is created, which a restore may do before the server.
 */
const EXCLUSIVE_QUEUES: readonly string[] = ['entry-renderings'] satisfies JobQueue[]

/** Creates a queue with its policy, unless it exists. */
export async function createQueue(boss: PgBoss, name: string): Promise<void> {
  await boss.createQueue(name, { policy: EXCLUSIVE_QUEUES.includes(name) ? 'stately' : 'standard' })
}

const POLLING: Polling = { pollSeconds: 15, retrySeconds: 30, longestPauseSeconds: 60 * 60 }
const ATTEMPTS = 80
/**
 * The longest run of one job. pg-boss starts a job that runs longer a second time, even if the first run has not ended, so
 * work that must not be done twice, such as sending an email, has its own, shorter limit.
 */
export const LONGEST_RUN_SECONDS = 5 * 60
const STOP_MS = 10_000

type Deps = {
  db: Kysely<Schema>
  log: Logger
  /** Called after every job, for metrics. */
  onJobDone?: ((queue: string, outcome: 'done' | 'failed') => void) | undefined
}

/** `within` sends a job in a transaction. */
type Started = { boss: PgBoss; within: typeof fromKysely }

/**
 * Creates the durable jobs in the database. pg-boss is loaded and its tables are created when the first queue is
 * opened.
 */
export function createJobs<Name extends string = JobQueue>(
  { db, log, onJobDone }: Deps,
  polling = POLLING,
): Jobs<Name> {
  let started: Promise<Started> | undefined

  async function start(): Promise<Started> {
    const { fromKysely, PgBoss } = await import('pg-boss')
    const boss = new PgBoss({
      db: fromKysely(db),
      schema: 'jobs',
      schedule: false,
      reindex: false,
      monitorVacuum: false,
    })
    boss.on('error', (error) => log.error({ err: error }, 'a queue of jobs failed'))
    boss.on('warning', ({ message, data }) => log.warn({ data }, message))
    // If two servers create the tables concurrently, one fails, and pg-boss returns its connection to the pool in the
    // failed transaction.
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('milepost.jobs'))`.execute(trx)
      await boss.start()
    })
    return { boss, within: fromKysely }
  }

  return {
    async queue(name, work) {
      started ??= start()
      const { boss, within } = await started
      await createQueue(boss, name)
      await boss.updateQueue(name, {
        retryLimit: ATTEMPTS,
        retryDelay: polling.retrySeconds,
        retryBackoff: true,
        retryDelayMax: polling.longestPauseSeconds,
        expireInSeconds: LONGEST_RUN_SECONDS,
      })
      let worker: string | undefined
      const wake = () => {
        if (worker !== undefined) boss.notifyWorker(worker)
      }
      worker = await boss.work<Parameters<typeof work>[0]>(
        name,
        { pollingIntervalSeconds: polling.pollSeconds },
        async ([job]) => {
          if (!job) return
          try {
            await work(job.data)
            onJobDone?.(name, 'done')
          } catch (error) {
            onJobDone?.(name, 'failed')
            log.warn({ err: error, job: job.id }, `${name} failed and will be retried`)
            throw error
          } finally {
            wake() // there may be more jobs, and the next poll comes only after the pause
          }
        },
      )
      return {
        async add(trx, data) {
          await boss.send(name, data, { db: within(trx) })
        },
        wake,
      }
    },

    async stop() {
      const running = await started
      await running?.boss.stop({ timeout: STOP_MS })
    },
  }
}

/** The jobs of one queue that failed and have not succeeded since; pg-boss deletes abandoned ones after a week. */
export type FailedJobs = { queue: string; waiting: number; givenUp: number; lastTriedAt: Date }

/** Counts the failed jobs of each queue, the latest first, without reading their data. */
export async function listFailedJobs(db: Db): Promise<FailedJobs[]> {
  const { rows: there } = await sql<{
    there: boolean
  }>`select to_regclass('jobs.job') is not null as there`.execute(db)
  if (!there[0]?.there) return []
  const { rows } = await sql<FailedJobs>`
    select name as queue,
      count(*) filter (where state <> 'failed') as waiting,
      count(*) filter (where state = 'failed') as "givenUp",
      max(coalesce(completed_on, started_on, created_on)) as "lastTriedAt"
    from jobs.job
    where state in ('retry', 'failed') or (state = 'active' and retry_count > 0)
    group by name order by "lastTriedAt" desc, name`.execute(db)
  return rows
}
