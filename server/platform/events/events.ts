import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { ClientConfig } from 'pg'
import type { BaseLogger } from 'pino'
import { z } from 'zod'
import { id } from '#contract/parts/wire.ts'
import { prepared } from '#server/database/prepared.ts'
import type { Schema } from '#server/database/rows.ts'
import { startListening } from './listener.ts'

const appEvent = z.union([
  z.strictObject({ person: id, project: id }),
  z.strictObject({ person: id, entry: id }),
  z.strictObject({ person: id }),
  z.strictObject({ person: id, drafts: z.literal(true) }),
  z.strictObject({ project: id }),
  z.strictObject({ session: id }),
])

/**
 * An event that all servers on one database receive. `project`: it changed, and its members should refetch it.
 * `person`: their notifications changed, or with `drafts` their drafts. Both: this person's access to the
 * project changed, or the project was deleted. `entry`: its presence in the editor changed, for this person to refetch.
 * `session`: this session ended.
 */
export type AppEvent = z.infer<typeof appEvent>

/** A subscriber within this process. */
export type Subscriber = {
  onEvent(event: AppEvent): void
  /** Events may have been missed, so state that was derived from them may be outdated. */
  onGap(): void
}

/** Publishes events to all processes on one database. */
export type Events = {
  /** Call it after the change is committed. It never throws; an event can get lost. */
  publish(...events: AppEvent[]): void
  /** Subscribes to the events of all processes, including this one. Returns the function that unsubscribes. */
  subscribe(subscriber: Subscriber): () => void
}

/** The notification channel of PostgreSQL, which every process on this database listens to. */
const CHANNEL = 'milepost'
/** How long an event waits to be batched with others. */
const BATCH_MS = 5
const PENDING_MAX = 10_000

type Deps = { db: Kysely<Schema>; log: BaseLogger }

/** Events by LISTEN and NOTIFY. Publishing needs no start; receiving does, on a separate connection. */
export function createEvents({ db, log }: Deps): Events & {
  start(config: ClientConfig): Promise<void>
  stop(): Promise<void>
} {
  const subscribers = new Set<Subscriber>()
  const outbox = createOutbox({ db, log })
  let stopListening = async () => {}

  function dispatch(text: string) {
    const event = parseEvent(text)
    if (!event) return log.warn('received an event of unknown shape')
    for (const subscriber of subscribers) subscriber.onEvent(event)
  }

  return {
    publish: (...events) => outbox.add(events),
    subscribe(subscriber) {
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    async start(config) {
      stopListening = await startListening({
        config,
        log,
        channel: CHANNEL,
        onMessage: dispatch,
        onReconnect: () => subscribers.forEach((subscriber) => subscriber.onGap()),
      })
    },
    async stop() {
      await outbox.flush()
      await stopListening()
    },
  }
}

const notified = prepared(
  (_db, { batch }: { batch: string[] }) =>
    sql`select pg_notify(${sql.lit(CHANNEL)}, event) from unnest(${batch}::text[]) as event`,
)

/** Sends the events of a few milliseconds together, each once. Those that cannot be sent are dropped: clients poll as well. */
function createOutbox({ db, log }: Deps) {
  const pending = new Set<string>()
  let sending: Promise<void> | undefined

  async function sendBatch() {
    await pause(BATCH_MS)
    const batch = [...pending]
    pending.clear()
    try {
      await notified.all(db, { batch })
    } catch (error) {
      log.warn({ err: error }, `${batch.length} events could not be published`)
    }
  }

  async function sendAll() {
    while (pending.size > 0) await sendBatch()
    sending = undefined
  }

  return {
    add(events: AppEvent[]) {
      for (const event of events) if (pending.size < PENDING_MAX) pending.add(serializeEvent(event))
      if (pending.size > 0) sending ??= sendAll()
    },
    /** Resolves once everything has been sent, or dropped. */
    flush: async () => sending,
  }
}

/** Serializes an event; the order of its fields does not matter. */
const serializeEvent = (event: AppEvent): string =>
  JSON.stringify(event, ['person', 'project', 'entry', 'drafts', 'session'])

/** Returns undefined for a text that is not an event. */
function parseEvent(text: string): AppEvent | undefined {
  try {
    return appEvent.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
