import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { BaseLogger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import { type AppEvent, textOf } from './event.ts'

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
