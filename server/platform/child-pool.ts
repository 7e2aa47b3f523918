import { Tinypool } from 'tinypool'
import { AppError } from './api/errors.ts'

/** Runs tasks in a child process, one at a time. */
export type ChildPool<Task, Result> = {
  /**
   * Rejects with the error of the task, or when its process exits or the time limit is exceeded. Throws `unavailable` if no
   * process can be started.
   */
  run: (task: Task, timeoutMs: number) => Promise<Result>
  /** Whether a process is already running, so that the next task starts without delay. */
  isStarted: () => boolean
  /** Terminates the process and its running task. */
  close: () => Promise<void>
}

type Options<Result> = {
  heapMegabytes?: number
  /** How much new memory is used before it is collected. Less takes more time. */
  semiSpaceMegabytes?: number
  /** How long an idle process is kept. */
  idleMs: number
  /** The environment of the process. */
  env?: { [name: string]: string }
  /** Ends the process after this many tasks, after one that failed, and after one with such a result. */
  replace?: { after: number; when: (result: Result) => boolean }
}

/**
 * Runs the default export of a module in a child process, which is started with the first task. A process, unlike
 * a thread, cannot take the server down by a crash or exhausted memory. It does not get the server's environment.
 */
export function createChildPool<Task, Result>(
  module: URL,
  { heapMegabytes, semiSpaceMegabytes = 16, idleMs, env = {}, replace }: Options<Result>,
): ChildPool<Task, Result> {
  const { SystemRoot } = process.env
  const pool = new Tinypool({
    runtime: 'child_process',
    filename: module.href,
    execArgv:
      heapMegabytes === undefined
        ? []
        : [`--max-old-space-size=${heapMegabytes}`, `--max-semi-space-size=${semiSpaceMegabytes}`],
    env: { ...env, ...(SystemRoot !== undefined && { SystemRoot }) },
    serialization: 'advanced',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
  })

  // Tinypool emits the error of a process that has no task yet, and leaves the waiting tasks in its queue.
  let start = new AbortController()
  pool.on('error', (error: unknown) => {
    start.abort(error)
    start = new AbortController()
  })

  let isClosed = false
  let tasks = 0
  let ending: Promise<void> | undefined

  /** Ends the idle process. The next task waits for that, so that there are never two. */
  function endProcess() {
    tasks = 0
    ending = pool.recycleWorkers()
  }

  async function run(task: Task, timeoutMs: number): Promise<Result> {
    await ending
    const { signal } = start
    const limit = new AbortController()
    // `AbortSignal.timeout` would also make an error, with its stack, for each task that has ended in time.
    const timer = setTimeout(() => limit.abort(), timeoutMs)
    try {
      const result = await pool.run(task, { signal: AbortSignal.any([limit.signal, signal]) })
      tasks += 1
      if (replace && (tasks >= replace.after || replace.when(result))) endProcess()
      return result
    } catch (error) {
      if (replace) endProcess()
      if (signal.aborted)
        throw Object.assign(
          new AppError('unavailable', 'This cannot be done right now', { retryAfter: 30 }),
          {
            cause: signal.reason,
          },
        )
      if (!isClosed && isNeverRun(error)) return run(task, timeoutMs)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    run,
    isStarted: () => pool.threads.length > 0,
    close() {
      isClosed = true
      return pool.destroy()
    },
  }
}

/**
 * Whether Tinypool rejected a task without running it. If the result of an aborted task arrives while its process is being ended,
 * Tinypool 2.2 assigns the next task to that process.
 */
const isNeverRun = (error: unknown) => error instanceof Error && error.message === 'Terminating worker thread'
