import type { ClientBase } from 'pg'
import { READ_ONLY_QUERY, ReadOnlyDatabase } from './outage.ts'

/**
 * How a session writes and reads values. The server, the database or the role may have other defaults: with `DateStyle` German, for
 * example, the driver reads no date, and a text that is compared in SQL is another one.
 */
const SETTINGS = {
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  lock_timeout: '0',
  idle_session_timeout: '0',
}

const SETTLED = Object.entries(SETTINGS)
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(', ')

/** Gives a connection the settings that Milepost's statements expect. */
export async function settleSession(client: ClientBase): Promise<void> {
  await client.query(`select ${SETTLED}`)
}

/**
 * Does the same for a new connection of a pool, and throws `ReadOnlyDatabase` for one to a standby. A server does not become one while
 * it has connections, so once is enough.
 */
export async function beginSession(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ read_only: boolean }>(`${READ_ONLY_QUERY}, ${SETTLED}`)
  if (rows[0]?.read_only !== false) throw new ReadOnlyDatabase()
}
