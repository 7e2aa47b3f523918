import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ClientConfig } from 'pg'
import type { BaseLogger } from 'pino'
import { z } from 'zod'
import { id } from '#contract/wire.ts'
import type { Schema } from '#server/database/rows.ts'
import { startListening } from './subscription.ts'

const shape = z.union([
  z.strictObject({ person: id, project: id }),
  z.strictObject({ person: id }),
  z.strictObject({ project: id }),
  z.strictObject({ session: id }),
])

/**
 * What the servers tell one another. `project`: something in it changed, for all its members to read again. `person`:
 * their notifications changed. Both: this person's access in the project changed, or the project is no more.
 * `session`: this sign-in ended.
 */
export type AppEvent = z.infer<typeof shape>

/** As it travels. The same news is the same text, whatever order its fields were written in. */
export const textOf = (events: AppEvent): string => JSON.stringify(events, ['person', 'project', 'session'])

/** The news in a text that came; undefined where it is none of ours. */
export function newsIn(text: string): AppEvent | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whoever in this process wants to hear. */
export type Listener = {
  heard(events: AppEvent): void
  /** AppEvent may have been missed: what was learnt from them so far may be outdated. */
  interrupted(): void
}

/** What happened, told to all processes on one database. */
export type Events = {
  /** To be called once what it speaks of stands in the database. It never throws; news can get lost. */
  publish(...events: AppEvent[]): void
  /** Hears what any process tells, this one included. The function that it answers ends that. */
  listen(listener: Listener): () => void
}

type Deps = { db: Kysely<Schema>; log: BaseLogger }

/** The news between processes. ChangeContext needs no start; hearing does, on a connection of its own. */
export function createEvents({ db, log }: Deps): Events & {
  start(config: ClientConfig): Promise<void>
  stop(): Promise<void>
} {
  const listeners = new Set<Listener>()
  const outbox = createOutbox({ db, log })
  let stopListening = async () => {}

  function pass(text: string) {
    const events = newsIn(text)
    if (!events) return log.warn('there was news that makes no sense')
    for (const listener of listeners) listener.heard(events)
  }

  return {
    publish: (...events) => outbox.put(events),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async start(config) {
      const resumed = () => listeners.forEach((listener) => listener.interrupted())
      stopListening = await startListening({ config, log, heard: pass, resumed })
    },
    async stop() {
      await outbox.empty()
      await stopListening()
    },
  }
}

/** The name under which every process of Milepost hears. It reaches as far as the database and no further. */
export const CHANNEL = 'milepost'

/** So long news waits for more of its kind. */
const GATHER_MS = 5
const HELD_MAX = 10_000

export type Outbox = {
  put(events: AppEvent[]): void
  /** Resolves once everything has been sent, or dropped. */
  empty(): Promise<void>
}

/** Sends news a few milliseconds' worth at a time, each once. What cannot be sent is dropped: readers ask by themselves too. */
export function createOutbox({ db, log }: { db: Kysely<Schema>; log: BaseLogger }): Outbox {
  const held = new Set<string>()
  let sending: Promise<void> | undefined

  async function send() {
    await pause(GATHER_MS)
    const texts = [...held]
    held.clear()
    try {
      await sql`select pg_notify(${CHANNEL}, events) from unnest(${texts}::text[]) as news`.execute(db)
    } catch (error) {
      log.warn({ err: error }, `${texts.length} news could not be told`)
    }
  }

  async function sendAll() {
    while (held.size > 0) await send()
    sending = undefined
  }

  return {
    put(events) {
      for (const one of events) if (held.size < HELD_MAX) held.add(textOf(one))
      if (held.size > 0) sending ??= sendAll()
    },
    empty: async () => sending,
  }
}

/** Runs a transaction. What it tells goes out once it stands, and not at all where it fails. */
export async function transact<T>(
  { db, events }: { db: Kysely<Schema>; events: Events },
  work: (trx: Transaction<Schema>, publish: Events['publish']) => Promise<T>,
): Promise<T> {
  const told: AppEvent[] = []
  const result = await db.transaction().execute((trx) => work(trx, (...events) => void told.push(...events)))
  events.publish(...told)
  return result
}
