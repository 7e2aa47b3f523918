import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { BaseLogger } from 'pino'
import { endWithin } from '#server/database/guard.ts'
import { settleSession } from '#server/database/session.ts'

/** A frozen database server is detected after the pause and the timeout. */
const HEARTBEAT_MS = 10_000
const QUERY_TIMEOUT_MS = 10_000
const GOODBYE_MS = 2_000
const BACKOFF_MS = [100, 500, 1_000, 2_000, 5_000]
const BACKOFF_MAX_MS = 10_000

type ListenerOptions = {
  config: ClientConfig
  log: BaseLogger
  channel: string
  onMessage(text: string): void
  /** Called when the connection is restored: messages that were sent in between were not received. */
  onReconnect(): void
  /** The pause between two checks of a silent connection. */
  heartbeatMs?: number
  /** How long the server may take to respond. */
  answerMs?: number
}

/**
 * Listens to a channel of PostgreSQL on a separate connection, and reconnects when it breaks. Resolves once it
 * is connected or the first attempt has failed. Returns the function that stops it.
 */
export async function startListening(options: ListenerOptions): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  const first = Promise.withResolvers<void>()
  const ended = keepListening(options, stopping.signal, first.resolve)
  await first.promise
  return () => {
    stopping.abort()
    return ended
  }
}

async function keepListening(
  options: ListenerOptions,
  stop: AbortSignal,
  onFirstAttempt: () => void,
): Promise<void> {
  let isFirst = true
  let failures = 0
  while (!stop.aborted) {
    try {
      await listenOnce(options, stop, () => {
        failures = 0
        if (!isFirst) options.onReconnect()
        onFirstAttempt()
      })
    } catch (error) {
      if (!stop.aborted) options.log.warn({ err: error }, 'the connection for events is interrupted')
    }
    onFirstAttempt()
    isFirst = false
    await pause(BACKOFF_MS[failures] ?? BACKOFF_MAX_MS, undefined, { signal: stop }).catch(() => undefined)
    failures += 1
  }
}

/** Listens until `stop` is aborted; throws when the connection breaks before that. */
async function listenOnce(options: ListenerOptions, stop: AbortSignal, onConnect: () => void): Promise<void> {
  const { heartbeatMs = HEARTBEAT_MS, answerMs = QUERY_TIMEOUT_MS } = options
  const client = new Client({
    ...options.config,
    application_name: 'milepost events',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
  })
  client.on('error', (error) => options.log.debug({ err: error }, 'the connection for events broke'))
  client.on('notification', ({ payload = '' }) => options.onMessage(payload))
  const broken = once(client, 'end', { signal: stop })
  broken.catch(() => undefined) // it is awaited below, unless something before it fails
  // A connection whose other end is gone can stay silent forever; a query detects it.
  let asked: Promise<unknown> | undefined
  const heartbeat = setInterval(() => {
    asked ??= client
      .query('select')
      .catch(() => client.end())
      .finally(() => {
        asked = undefined
      })
  }, heartbeatMs)
  try {
    await client.connect()
    await settleSession(client)
    await client.query(`listen ${options.channel}`)
    onConnect()
    await broken
    throw new Error('the connection ended')
  } finally {
    clearInterval(heartbeat)
    await endWithin(client, GOODBYE_MS)
  }
}
