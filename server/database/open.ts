import type { Client, PoolConfig } from 'pg'
import type { BaseLogger } from 'pino'
import { CannotStart, TemporaryFailure } from '#server/cannot-start.ts'
import type { Settings } from '#server/settings.ts'
import { type Connection, connect } from './connect.ts'
import { type EmbeddedDatabase, type EmbeddedOptions, openEmbedded } from './embedded/open.ts'
import { endWithin } from './guard.ts'
import { migrate } from './migrate.ts'
import type { MigrationDeps } from './migration-deps.ts'
import { isOutage, isReadOnly, ReadOnlyDatabase } from './outage.ts'
import { CHECK_TIMEOUT_MS, probe, refuseStrictPooler, requireSession } from './pooler.ts'
import { remedyFor } from './remedy.ts'

type Options = {
  log: BaseLogger
  /** Receives a short sentence about a long-running step. */
  progress: (text: string) => void
  /** Called when the embedded database was lost and could not be restarted. */
  lost: (error: unknown) => void
  /** What migrations need besides the database. */
  migration?: MigrationDeps
  /** Aborts a start that waits for other connections before it migrates. */
  stop?: AbortSignal
  /** How long to wait for the database; defaults to 15 seconds. */
  timeoutMs?: number
}

/** A database that has just started, or is failing over, may need a moment. */
const TIMEOUT_MS = 15_000
const OLDEST = 15

type DatabaseSettings = Pick<Settings, 'databaseUrl' | 'dataDir' | 'databasePoolSize'>

/** Opens and migrates the database of the settings. `close` also stops an embedded server. */
export async function openDatabase(
  settings: DatabaseSettings & Pick<Settings, 'databaseTimeouts'>,
  options: Options,
): Promise<Connection> {
  const { config, stop } = await reachDatabase(settings, options)
  const { statement, idle } = settings.databaseTimeouts
  try {
    await migrate(config, undefined, options.migration, {
      ...(options.stop && { stop: options.stop }),
      onWait: (connections) =>
        options.log.warn({ connections }, 'the migration waits for tables that other connections use'),
    })
  } catch (error) {
    await stop()
    throw error
  }
  // Not for migrations, which may take longer.
  const bounds = { statement_timeout: statement, idle_in_transaction_session_timeout: idle }
  const { db, pool, close } = connect({ ...config, ...bounds }, options.log)
  return { db, pool, config, close: () => closeBoth(close, stop) }
}

/**
 * Connects to the database of the settings without migrating it. `bringUp` opens the embedded one. `stop` ends what was
 * started for it.
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
    await requireUsable(config, options)
    if (settings.databaseUrl) await requireSession(config)
  } catch (error) {
    await stop()
    throw isOutage(error) ? unreachable(error) : error
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

async function requireUsable(config: PoolConfig, { progress, timeoutMs = TIMEOUT_MS }: Options) {
  const client = await reach(config, progress, timeoutMs)
  try {
    const { rows } = await client.query<{
      version: string
      encoding: string
      schema: string | null
      path: string
    }>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        current_schema() as schema, current_setting('search_path') as path`,
    )
    const { version = '', encoding = '', schema, path } = rows[0] ?? {}
    if (Number.parseInt(version, 10) < OLDEST)
      throw new CannotStart(
        `Milepost needs PostgreSQL ${OLDEST} or later, and DATABASE_URL leads to ${version}.`,
      )
    if (encoding !== 'UTF8')
      throw new CannotStart(
        `Milepost needs a database in UTF8, and the one of DATABASE_URL is in ${encoding}.`,
      )
    if (schema === null)
      throw new CannotStart(
        `The database of DATABASE_URL has none of the schemas of its search_path (${path}): create one, owned by the role of DATABASE_URL, or reset search_path.`,
      )
  } finally {
    await endWithin(client, CHECK_TIMEOUT_MS)
  }
}

/** Connects to a writable server. Waits for one, because there may be none during a failover. */
async function reach(config: PoolConfig, progress: Options['progress'], timeoutMs: number): Promise<Client> {
  const deadline = Date.now() + timeoutMs
  for (let isReported = false; ; isReported = true) {
    const client = firstProbe(config)
    try {
      await client.connect()
      if (await isReadOnly(client)) throw new ReadOnlyDatabase()
      return client
    } catch (error) {
      await endWithin(client, CHECK_TIMEOUT_MS)
      refuseStrictPooler(error)
      if (!isOutage(error) || Date.now() > deadline) throw unreachable(error)
      if (!isReported) progress('Waiting for the database …')
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}

/** A certificate that `DATABASE_URL` names is read before the first connection is opened. */
function firstProbe(config: PoolConfig): Client {
  try {
    return probe(config)
  } catch (cause) {
    const { path: file, message } = cause as NodeJS.ErrnoException
    throw new CannotStart(
      file === undefined
        ? `The setting DATABASE_URL cannot be read: ${message}.`
        : `The file ${file} that DATABASE_URL names cannot be read: put it there, readable by the user of Milepost.`,
      { cause },
    )
  }
}

function unreachable(cause: unknown): CannotStart {
  if (cause instanceof ReadOnlyDatabase)
    return new TemporaryFailure(
      'DATABASE_URL leads to a standby or a database that is set to read only: let it lead to the primary.',
      { cause },
    )
  const { code = '', message } = cause as NodeJS.ErrnoException
  const Failure = isOutage(cause) ? TemporaryFailure : CannotStart
  return new Failure(
    `The database of DATABASE_URL cannot be reached: ${message || code}${remedyFor(cause)}.`,
    { cause },
  )
}
