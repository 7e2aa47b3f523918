import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import type { Logger } from 'pino'
import { CannotStart, exitCodeOf } from './cannot-start.ts'
import { openDatabase } from './database/open.ts'
import { loadEnvFile } from './env-file.ts'
import { addressLines } from './listening-addresses.ts'
import { createLogger } from './platform/log/logger.ts'
import { loadSecrets } from './platform/secrets.ts'
import { createTokenCipher } from './platform/token-cipher.ts'
import { readSettings, type Settings, settingNames } from './settings.ts'
import { createShutdown, type Shutdown } from './shutdown.ts'

const print = (text: string) => process.stdout.write(`${text}\n`)

/** Opens the database and meanwhile loads all other modules, which halves the time of a start. */
async function start(settings: Settings, log: Logger, shutdown: Shutdown) {
  const secrets = await loadSecrets(settings)
  const opening = openDatabase(settings, {
    log,
    progress: print,
    stop: shutdown.signal,
    migration: { encryptInviteToken: createTokenCipher(secrets).encrypt },
    lost: (error) => {
      log.fatal({ err: error }, 'the database was lost; stopping')
      void shutdown.end(1)
    },
  })
  const loading = import('./serve.ts')
  // Awaited below, once there is a database to close. Until then a failure must not be an unhandled rejection.
  loading.catch(() => undefined)
  const database = await opening
  shutdown.closes('the database', database.close)
  const { serve } = await loading
  await serve({ settings, secrets, log, shutdown, database })
  // The addresses of a container are not those of its machine.
  const isContainer = ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file))
  addressLines(settings, isContainer ? {} : networkInterfaces()).forEach(print)
}

async function main() {
  for (const warning of loadEnvFile('.env', settingNames)) process.stderr.write(`${warning}\n`)
  const settings = readSettings(process.env)
  const log = createLogger(settings.logLevel)
  const shutdown = createShutdown(log)
  const started = start(settings, log, shutdown)
  shutdown.waitsFor(started)
  try {
    await started
  } catch (error) {
    if (error instanceof CannotStart) printProblem(error)
    else if (!isStopped(error, shutdown)) log.fatal({ err: error }, 'the start failed')
    await shutdown.end(exitCodeOf(error))
  }
}

/** Returns whether a signal ended the start. */
const isStopped = (error: unknown, { signal }: Shutdown) =>
  signal.aborted && error instanceof Error && error.name === 'AbortError'

const printProblem = (error: CannotStart) => process.stderr.write(`${error.message}\n`)

try {
  await main()
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  printProblem(error)
  process.exitCode = exitCodeOf(error)
}
