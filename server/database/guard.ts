import type { Client, ClientBase, PoolClient, QueryResult } from 'pg'
import { isSettled, OutcomeUnknown } from './outage.ts'

const NOTHING: Pick<QueryResult, 'rows' | 'rowCount' | 'command'> = {
  rows: [],
  rowCount: 0,
  command: 'ROLLBACK',
}

/**
 * Watches over the queries of a connection: one without an answer after so many milliseconds has its connection cut, and
 * fails with it. The server's own timeouts end nothing where the server is frozen, or no packet reaches it.
 */
export function limitSilence(client: ClientBase, ms: number): () => () => void {
  return () => {
    const timer = setTimeout(() => cut(client), ms)
    return () => clearTimeout(timer)
  }
}

/**
 * Makes the end of a transaction say what became of it: a COMMIT whose response was lost throws `OutcomeUnknown`. A ROLLBACK
 * on a broken connection succeeds, because the transaction ended with the connection, and a caller that rolls back has an error
 * that says more.
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

/** Gives the server of a connection so many milliseconds to say goodbye, whichever side ends it. */
export function limitGoodbye(client: ClientBase, ms: number): void {
  const end = (client as Client).end.bind(client) as (...args: unknown[]) => unknown
  const endInTime = (...args: unknown[]) => {
    setTimeout(() => cut(client), ms).unref()
    return end(...args)
  }
  Object.assign(client, { end: endInTime })
}

/** Ends a connection without the server's help. */
function cut(client: ClientBase): void {
  const { connection } = client as Client
  connection.stream.destroy()
}

/** Ends a connection in order, or after so many milliseconds without the server's help. */
export async function endWithin(client: Client, ms: number): Promise<void> {
  limitGoodbye(client, ms)
  await client.end()
}

function failCommit(error: Error): never {
  throw isSettled(error) ? error : new OutcomeUnknown(error)
}

function failRollback(error: Error) {
  if (isSettled(error)) throw error
  return NOTHING
}
