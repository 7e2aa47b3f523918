import type { BaseLogger } from 'pino'

/** Ctrl-C reaches us from the terminal and from each program above us that passes it on: one wish, not many. */
const ONE_WISH_MS = 1_000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The orderly end of the process: what was opened is closed, last opened first. */
export type Shutdown = {
  /** What is being opened: a signal meanwhile waits for it, so that nothing half-open is left behind. */
  waitsFor(opening: Promise<unknown>): void
  /** Adds something to close at the end. */
  closes(name: string, close: () => Promise<unknown>): void
  /** Closes everything and ends the process; a second call changes nothing. */
  end(exitCode: number): Promise<void>
}

/** Ends the process in order on a signal or an error that nobody caught, at once on a second signal. */
export function createShutdown(log: BaseLogger): Shutdown {
  const closers: { name: string; close: () => Promise<unknown> }[] = []
  let opening: Promise<unknown> = Promise.resolve()
  let begun = 0

  const end = async (exitCode: number) => {
    if (begun) return
    begun = Date.now()
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
    process.exit(code)
  }

  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (begun && Date.now() - begun > ONE_WISH_MS) process.exit(1)
      if (!begun) log.info(`${signal}: finishing what runs, then stopping`)
      void end(0)
    })
  for (const event of ['unhandledRejection', 'uncaughtException'] as const)
    process.on(event, (error) => {
      log.fatal({ err: error }, `${event}: stopping`)
      void end(1)
    })

  return {
    waitsFor: (promise) => {
      opening = promise.catch(() => undefined)
    },
    closes: (name, close) => closers.push({ name, close }),
    end,
  }
}
