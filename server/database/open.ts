import { Client, type PoolConfig } from 'pg'
import type { BaseLogger } from 'pino'
import { CannotStart } from '#server/cannot-start.ts'
import type { Settings } from '#server/settings.ts'
import { type Connection, connect } from './connect.ts'
import { type EmbeddedDatabase, type EmbeddedOptions, openEmbedded } from './embedded/open.ts'
import { migrate } from './migrate.ts'
import type { MigrationDeps } from './migration-deps.ts'

type Options = {
  log: BaseLogger
  /** Receives a short sentence about what takes long. */
  progress: (text: string) => void
  /** Called when the embedded database went away and could not be brought back. */
  lost: (error: unknown) => void
  /** What migrations need beside the database. */
  migration?: MigrationDeps
}

/** A database that was just started beside us may need a moment. */
const CONNECT_TIMEOUT_MS = 15_000
const OLDEST = 15

type DatabaseSettings = Pick<Settings, 'databaseUrl' | 'dataDir' | 'databasePoolSize'>

/** Opens the database that the settings name, brought up to date; `close` also stops an embedded server. */
export async function openDatabase(
  settings: DatabaseSettings & Pick<Settings, 'databaseTimeouts'>,
  options: Options,
): Promise<Connection> {
  const { config, stop } = await reachDatabase(settings, options)
  const { statement, idle } = settings.databaseTimeouts
  try {
    await migrate(config, undefined, options.migration)
  } catch (error) {
    await stop()
    throw error
  }
  // Not those of the migrations, which take the time that they need.
  const bounds = { statement_timeout: statement, idle_in_transaction_session_timeout: idle }
  const { db, pool, close } = connect({ ...config, ...bounds }, options.log)
  return { db, pool, config, close: () => closeBoth(close, stop) }
}

/**
 * Makes sure that the database of the settings can be used, and leaves it as it is; `bringUp` says how the embedded
 * one is opened. `stop` ends what was started for it.
 */
export async function reachDatabase(
  settings: DatabaseSettings,
  options: Options,
  bringUp: (options: EmbeddedOptions) => Promise<EmbeddedDatabase> = openEmbedded,
): Promise<{ config: PoolConfig; stop: () => Promise<void> }> {
  const max = settings.databasePoolSize
  const { connection, stop } = settings.databaseUrl
    ? { connection: { connectionString: settings.databaseUrl }, stop: async () => undefined }
    : await bringUp({ dataDir: settings.dataDir, poolSize: max, ...options })
  const config = { ...connection, max }
  try {
    await requireUsable(config, options.progress)
  } catch (error) {
    await stop()
    throw error
  }
  return { config, stop }
}

async function closeBoth(close: () => Promise<void>, stop: () => Promise<void>) {
  try {
    await close()
  } finally {
    await stop()
  }
}

async function requireUsable(config: PoolConfig, progress: Options['progress']) {
  const client = await reach(config, progress)
  try {
    const { rows } = await client.query<{ version: string; encoding: string }>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding`,
    )
    const { version = '', encoding = '' } = rows[0] ?? {}
    if (Number.parseInt(version, 10) < OLDEST)
      throw new CannotStart(
        `Milepost needs PostgreSQL ${OLDEST} or later, and DATABASE_URL leads to ${version}.`,
      )
    if (encoding !== 'UTF8')
      throw new CannotStart(
        `Milepost needs a database in UTF8, and the one of DATABASE_URL is in ${encoding}.`,
      )
  } finally {
    await client.end()
  }
}

async function reach(config: PoolConfig, progress: Options['progress']): Promise<Client> {
  const deadline = Date.now() + CONNECT_TIMEOUT_MS
  for (let isReported = false; ; isReported = true) {
    const client = new Client({ ...config, connectionTimeoutMillis: 5_000 })
    try {
      await client.connect()
      return client
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException
      const mayPass = ['ECONNREFUSED', 'ECONNRESET', '57P03', '53300', 'EAI_AGAIN', 'ENOTFOUND'].includes(
        code,
      )
      if (!mayPass || Date.now() > deadline)
        throw new CannotStart(`The database of DATABASE_URL cannot be reached: ${message || code}.`, {
          cause: error,
        })
      if (!isReported) progress('Waiting for the database …')
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}
