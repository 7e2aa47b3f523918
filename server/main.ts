import type { Logger } from 'pino'
import { CANNOT_START_CODE, CannotStart } from './cannot-start.ts'
import { createTokenCipher } from './collaborators/token.ts'
import { openDatabase } from './database/open.ts'
import { loadSecrets } from './identity/secrets.ts'
import { createLogger } from './platform/logger.ts'
import { loadEnvFile, readSettings, type Settings } from './settings.ts'
import { createShutdown, type Shutdown } from './shutdown.ts'

const print = (text: string) => process.stdout.write(`${text}\n`)

/** Opens the database and, while it comes up, loads all the rest: half of what a start takes. */
async function start(settings: Settings, log: Logger, shutdown: Shutdown) {
  const secrets = await loadSecrets(settings)
  const opening = openDatabase(settings, {
    log,
    progress: print,
    migration: { encryptInviteToken: createTokenCipher(secrets).encrypt },
    lost: (error) => {
      log.fatal({ err: error }, 'the database is lost: stopping')
      void shutdown.end(1)
    },
  })
  const loading = import('./serve.ts')
  // Told by its await below, once there is a database to close; until then it is nobody's unhandled rejection.
  loading.catch(() => undefined)
  const database = await opening
  shutdown.closes('the database', database.close)
  const { serve } = await loading
  await serve({ settings, secrets, log, shutdown, database })
  print(`Milepost is ready: ${settings.publicUrl}`)
}

async function main() {
  loadEnvFile('.env')
  const settings = readSettings(process.env)
  const log = createLogger(settings.logLevel)
  const shutdown = createShutdown(log)
  const started = start(settings, log, shutdown)
  shutdown.waitsFor(started)
  try {
    await started
  } catch (error) {
    const isTold = error instanceof CannotStart
    if (isTold) tellProblem(error)
    else log.fatal({ err: error }, 'the start failed')
    await shutdown.end(isTold ? CANNOT_START_CODE : 1)
  }
}

const tellProblem = (error: CannotStart) => process.stderr.write(`${error.message}\n`)

try {
  await main()
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  tellProblem(error)
  process.exitCode = CANNOT_START_CODE
}
