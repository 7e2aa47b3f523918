/** SQLSTATEs of a server that cannot serve now: out of reach, out of resources, stopping, timed out, deadlocked. */
const STATES = /^(08|53|57)...$|^(25P03|40001|40P01|55P03)$/

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

/** The messages of `pg`, which have no code, for a connection that was lost or not available in time. */
const WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Returns whether the database failed for a temporary reason: the same call may succeed later. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (WORDS.test(error.message)) return true
  if (!('code' in error) || typeof error.code !== 'string') return false
  // The socket of a local server is a file that is absent while it is down.
  const socketGone = error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  return socketGone || NETWORK_CODES.has(error.code) || STATES.test(error.code)
}
