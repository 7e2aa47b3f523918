import type { PoolClient, QueryResult } from 'pg'
import { preparedName } from '#server/database/prepared.ts'

/**
 * Has a connection make its promises around pg's callbacks. Those that pg makes itself set the callback of a query only
 * after the query is there, and V8 (13.6) then often keeps query, answer and the request that asked for it until a full
 * collection of garbage: 50 kB a request, most of what a server grew by (docs/performance.md). What was prepared it
 * sends by its name.
 */
export function answerByCallback(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const asked = (...args: unknown[]) => {
    const [text, values] = args
    // Whoever brings a callback, a cursor or a stream waits for it in a way of their own.
    if (typeof text !== 'string' || typeof values === 'function' || args.length > 2) return query(...args)
    const name = preparedName(text)
    return new Promise<QueryResult>((resolve, reject) => {
      query(name === undefined ? text : { name, text }, values, (error: Error | null, result: QueryResult) =>
        error ? reject(error) : resolve(result),
      )
    }).catch((error: Error) => {
      // So far it leads to the socket; from here, as pg has it too, to whoever asked.
      Error.captureStackTrace(error)
      throw error
    })
  }
  client.query = asked as PoolClient['query']
}
