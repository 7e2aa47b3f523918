import type { ClientBase } from 'pg'

/** SQLSTATE of a write on a standby or a read-only server. */
const READ_ONLY = '25006'

/** SQLSTATEs of temporary failures: unreachable, out of resources, stopping, timed out, deadlocked, a standby. */
const STATES = /^(08|53|57)...$|^(25P03|25006|40001|40P01|55P03)$/

/** Five characters with at least one digit, unlike system error codes such as EPIPE. */
const SQLSTATE = /^(?=.*\d)[\dA-Z]{5}$/

/** SQLSTATEs after which the outcome of a COMMIT is unknown: the server or a pooler lost it, stopped, or failed to write. */
const OPEN_STATES = /^(08|53|57P|58|F0|XX)|^40003$/

/** SQLSTATEs of a transaction that failed only because of a concurrent one. */
const COLLISIONS = /^(40001|40P01)$/

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

/** Messages of `pg` without a code, for a connection that was lost or not available in time. */
const WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error)/

/** Returns whether the database failed temporarily, so that the same call may succeed later. */
export function isOutage(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return true
  if (!(error instanceof Error)) return false
  if (WORDS.test(error.message)) return true
  const code = codeOf(error)
  // The socket file of a local server is absent while the server is down.
  const socketGone = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  return socketGone || NETWORK_CODES.has(code) || STATES.test(code)
}

/** Returns whether the server itself refused a statement, so that it had no effect. */
export function isSettled(error: Error): boolean {
  const code = codeOf(error)
  return SQLSTATE.test(code) && !OPEN_STATES.test(code)
}

/** Returns whether a transaction was aborted because of another one: a deadlock or a serialization failure. */
export function isCollision(error: unknown): boolean {
  return error instanceof Error && COLLISIONS.test(codeOf(error))
}

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** The response to a COMMIT was lost, so its outcome is unknown. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'

  constructor(cause: unknown) {
    super('the answer to a COMMIT was lost', { cause })
  }
}

/** The database is a standby or read-only, so it cannot be used. */
export class ReadOnlyDatabase extends Error {
  override name = 'ReadOnlyDatabase'
  readonly code = READ_ONLY

  constructor() {
    super('the database is a standby or set to read only')
  }
}

/** Returns whether the server is read-only. */
export const READ_ONLY_QUERY = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`

/** Returns whether the server of a connection is read-only. */
export async function isReadOnly(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ read_only: boolean }>(READ_ONLY_QUERY)
  return rows[0]?.read_only ?? true
}
