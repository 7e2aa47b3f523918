import { Client, type ClientConfig } from 'pg'
import type { BaseLogger } from 'pino'
import { CannotStart, TemporaryFailure } from '#server/cannot-start.ts'

/** Another running Milepost owns the database. */
export class InUse extends CannotStart {
  override name = 'InUse'
}

/** Keys of the advisory lock: 'mile' and 'post' as numbers. */
const LOCK = [0x6d696c65, 0x706f7374]

/** The connection of an owner that was just killed may linger for a moment. */
const HELD_TIMEOUT_MS = 3_000

/** A server that starts, stops or recovers needs some time to respond. */
const UNAVAILABLE_TIMEOUT_MS = 60_000

type Options = {
  dataDir: string
  /** Starts the server if necessary, and returns how to connect. */
  reach: () => Promise<ClientConfig>
  log: BaseLogger
  /** Called when the ownership was lost and could not be regained. */
  lost: (error: unknown) => void
}

/** How the database was reached, and the connection that owns it. */
type Claim = { client: Client; connection: ClientConfig }

/**
 * Makes this process the only owner of the database during its lifetime, and returns how to connect. `release` stops the
 * monitoring and returns whether this process still owned the database, and therefore has to stop it.
 */
export async function takeOwnership(
  options: Options,
): Promise<{ connection: ClientConfig; release: () => boolean }> {
  let owned = true
  let released = false
  const watch = (client: Client) => {
    let reason: Error | undefined
    client.on('error', (error) => {
      reason = error
    })
    client.on('end', () => {
      if (!released) void regain(reason)
    })
  }
  const regain = async (reason: Error | undefined) => {
    owned = false
    options.log.error({ err: reason }, 'the connection that owns the database broke; taking it again')
    try {
      watch((await claim(options)).client)
      owned = true
      options.log.info('the database is owned again')
    } catch (error) {
      if (!released) options.lost(error)
    }
  }
  const { client, connection } = await claim(options)
  watch(client)
  return {
    connection,
    release: () => {
      released = true
      return owned
    },
  }
}

async function claim({ dataDir, reach, log }: Options): Promise<Claim> {
  const begun = Date.now()
  for (;;) {
    const connection = await reach()
    const client = new Client({ ...connection, application_name: 'milepost owner' })
    client.on('error', (error) =>
      log.debug({ err: error }, 'a connection that should own the database broke'),
    )
    const outcome = await tryLock(client)
    if (outcome === 'owned') return { client, connection }
    await client
      .end()
      .catch((error: unknown) => log.debug({ err: error }, 'closing an unused connection failed'))
    const waited = Date.now() - begun
    if (outcome === 'held' && waited > HELD_TIMEOUT_MS) throw inUse(dataDir)
    if (outcome !== 'held' && waited > UNAVAILABLE_TIMEOUT_MS)
      throw new TemporaryFailure(`The database in ${dataDir} does not answer: ${outcome.message}.`, {
        cause: outcome,
      })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function tryLock(client: Client): Promise<'owned' | 'held' | Error> {
  try {
    await client.connect()
    const { rows } = await client.query<{ owned: boolean }>(
      'select pg_try_advisory_lock($1, $2) as owned',
      LOCK,
    )
    return rows[0]?.owned ? 'owned' : 'held'
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const code = 'code' in error ? String(error.code) : ''
    if (code === '28P01')
      throw new CannotStart(
        `The password file beside the database does not fit it; put it back from a backup.`,
        {
          cause: error,
        },
      )
    return error
  }
}

const inUse = (dataDir: string) =>
  new InUse(
    `The data folder ${dataDir} is in use by another running Milepost: stop that one first, or set DATA_DIR to another folder.`,
  )
