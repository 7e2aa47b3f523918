import type { Client, ClientBase, PoolClient, QueryResult } from 'pg'
import { isSettled, OutcomeUnknown } from './outage.ts'

const NOTHING: Pick<QueryResult, 'rows' | 'rowCount' | 'command'> = {
  rows: [],
  rowCount: 0,
  command: 'ROLLBACK',
}

/**
 * Closes a connection when one of its queries gets no response within the given time, and fails the query. The server's own
 * timeouts do not help if the server is frozen or unreachable.
 */
export function limitResponseTime(client: ClientBase, ms: number): () => () => void {
  return () => {
    const timer = setTimeout(() => cut(client), ms)
    return () => clearTimeout(timer)
  }
}

/**
 * Reports the outcome of transactions: a COMMIT whose response was lost throws `OutcomeUnknown`. A ROLLBACK on a broken
 * connection succeeds, because the transaction ended with the connection, and a caller that rolls back has a more specific
 * error.
 */
export function reportOutcomes(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const reporting = (...args: unknown[]) => {
    const answer = query(...args)
    if (!(answer instanceof Promise)) return answer
    if (args[0] === 'commit') return answer.catch(failCommit)
    return args[0] === 'rollback' ? answer.catch(failRollback) : answer
  }
  client.query = reporting as PoolClient['query']
}

/** Limits how long a graceful disconnect may take, whichever side ends the connection. */
export function limitDisconnect(client: ClientBase, ms: number): void {
  const end = (client as Client).end.bind(client) as (...args: unknown[]) => unknown
  const endInTime = (...args: unknown[]) => {
    setTimeout(() => cut(client), ms).unref()
    return end(...args)
  }
  Object.assign(client, { end: endInTime })
}

/** Closes a connection without the server's cooperation. */
function cut(client: ClientBase): void {
  const { connection } = client as Client
  connection.stream.destroy()
}

/** Ends a connection gracefully, or closes it after a timeout. */
export async function endWithin(client: Client, ms: number): Promise<void> {
  limitDisconnect(client, ms)
  await client.end()
}

function failCommit(error: Error): never {
  throw isSettled(error) ? error : new OutcomeUnknown(error)
}

function failRollback(error: Error) {
  if (isSettled(error)) throw error
  return NOTHING
}
