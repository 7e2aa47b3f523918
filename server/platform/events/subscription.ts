import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { BaseLogger } from 'pino'
import { CHANNEL } from './events.ts'

const PULSE_MS = 30_000
const ANSWER_MS = 10_000
const STEPS_MS = [100, 500, 1_000, 2_000, 5_000]
const LONGEST_MS = 10_000

type Listening = {
  config: ClientConfig
  log: BaseLogger
  heard(text: string): void
  /** The connection stands again after an interruption: what was told meanwhile was not heard. */
  resumed(): void
}

/**
 * Listens on one connection of its own, which is made anew whenever it breaks. Resolves once it stands, or the first
 * attempt has failed; the function that it answers ends it.
 */
export async function startListening(means: Listening): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  let attempted = () => {}
  const first = new Promise<void>((resolve) => {
    attempted = resolve
  })
  const ended = keepListening(means, stopping.signal, attempted)
  await first
  return () => {
    stopping.abort()
    return ended
  }
}

async function keepListening(means: Listening, stop: AbortSignal, attempted: () => void): Promise<void> {
  let isFirst = true
  let failures = 0
  while (!stop.aborted) {
    try {
      await listenOnce(means, stop, () => {
        failures = 0
        if (!isFirst) means.resumed()
        attempted()
      })
    } catch (error) {
      if (!stop.aborted) means.log.warn({ err: error }, 'the news of other servers are interrupted')
    }
    attempted()
    isFirst = false
    await pause(STEPS_MS[failures] ?? LONGEST_MS, undefined, { signal: stop }).catch(() => undefined)
    failures += 1
  }
}

/** Listens until the connection breaks, which it throws, or until it is to stop. */
async function listenOnce(means: Listening, stop: AbortSignal, stands: () => void): Promise<void> {
  const client = new Client({
    ...means.config,
    application_name: 'milepost events',
    query_timeout: ANSWER_MS,
    keepAlive: true,
  })
  client.on('error', (error) => means.log.debug({ err: error }, 'the connection for news broke'))
  client.on('notification', ({ payload = '' }) => means.heard(payload))
  const broken = once(client, 'end', { signal: stop })
  broken.catch(() => undefined) // it is awaited below, unless something before it fails
  // A connection whose other end is gone can stay silent for ever: a question finds out.
  const pulse = setInterval(() => void client.query('select').catch(() => client.end()), PULSE_MS)
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    stands()
    await broken
    throw new Error('the connection ended')
  } finally {
    clearInterval(pulse)
    await client.end()
  }
}
