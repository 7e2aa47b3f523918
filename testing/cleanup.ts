import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

type Cleanup = () => Promise<unknown>

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Ctrl-C is sent by the terminal and passed on by parent processes: signals this close together count as one. */
const SAME_SIGNAL_MS = 1_000

const cleanups = new Set<Cleanup>()
let shutdownStartedAt = 0

/**
 * Registers work that also has to be done when a signal ends the process. The function that it returns does the work
 * now; later calls wait for the first one.
 */
export function registerCleanup(cleanup: Cleanup): () => Promise<void> {
  let done: Promise<unknown> | undefined
  const runOnce = async () => {
    done ??= cleanup().finally(() => cleanups.delete(runOnce))
    await done
  }
  cleanups.add(runOnce)
  return runOnce
}

/** Whether a signal has been received, so that nothing new should be started. */
export const isShuttingDown = () => shutdownStartedAt > 0

/** On a signal, runs the registered cleanups in reverse order and exits; a second signal exits immediately. */
export function cleanUpOnSignal(log: (message: unknown) => void): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (!isShuttingDown()) void cleanUpAndExit(log)
      else if (Date.now() - shutdownStartedAt > SAME_SIGNAL_MS) process.exit(1)
    })
}

async function cleanUpAndExit(log: (message: unknown) => void): Promise<void> {
  shutdownStartedAt = Date.now()
  log('Stopping what was started …')
  // A cleanup makes the work that used the resource fail, and that work may register another cleanup while it fails.
  for (let last = [...cleanups].at(-1); last; last = [...cleanups].at(-1)) await last().catch(log)
  process.exit(1)
}

/** Creates an empty temporary directory that other system users can traverse, as PostgreSQL's own user has to. */
export async function temporaryDirectory() {
  const directory = await mkdtemp(path.join(tmpdir(), 'milepost-test-'))
  await chmod(directory, 0o711)
  return { directory, remove: registerCleanup(() => rm(directory, { recursive: true, force: true })) }
}

/** Calls `work` with a temporary directory and removes it afterwards. */
export async function withTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const { directory, remove } = await temporaryDirectory()
  try {
    return await work(directory)
  } finally {
    await remove()
  }
}
