import type { BaseLogger } from 'pino'

/** Ctrl-C may arrive several times, from the terminal and from parent processes. Signals within this time count as one. */
const SAME_SIGNAL_MS = 1_000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Shuts the process down: closes resources in reverse order of their opening. */
export type Shutdown = {
  /** Aborted when the shutdown begins. */
  signal: AbortSignal
  /** A shutdown waits for `opening` to settle first, so that nothing is left half open. */
  waitsFor(opening: Promise<unknown>): void
  /** Registers something to close at the end. */
  closes(name: string, close: () => Promise<unknown>): void
  /** Closes everything and ends the process; a second call has no effect. */
  end(exitCode: number): Promise<void>
}

/** The parts of `process` that a shutdown needs. */
type ProcessEvents = {
  on(event: string, listener: (argument: unknown) => void): unknown
  exit(code: number): void
}

/** Ends the process in order on a signal or an uncaught error, and immediately on a second signal. */
export function createShutdown(
  log: BaseLogger,
  system: ProcessEvents = process,
  now: () => number = Date.now,
): Shutdown {
  const closers: { name: string; close: () => Promise<unknown> }[] = []
  let opening: Promise<unknown> = Promise.resolve()
  let begunAt: number | undefined
  const ending = new AbortController()

  const end = async (exitCode: number) => {
    if (begunAt !== undefined) return
    begunAt = now()
    ending.abort()
    await opening
    let code = exitCode
    for (const { name, close } of closers.toReversed()) {
      try {
        await close()
      } catch (error) {
        log.error({ err: error }, `closing ${name} failed`)
        code ||= 1
      }
    }
    system.exit(code)
  }

  for (const signal of SIGNALS)
    system.on(signal, () => {
      if (begunAt === undefined) log.info(`${signal}: finishing running requests, then stopping`)
      else if (now() - begunAt > SAME_SIGNAL_MS) return system.exit(1)
      void end(0)
    })
  for (const event of ['unhandledRejection', 'uncaughtException'])
    system.on(event, (error) => {
      log.fatal({ err: error }, `${event}: stopping`)
      void end(1)
    })

  return {
    signal: ending.signal,
    waitsFor: (promise) => {
      opening = promise.catch(() => undefined)
    },
    closes: (name, close) => closers.push({ name, close }),
    end,
  }
}
