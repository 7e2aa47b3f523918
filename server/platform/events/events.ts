import type { Kysely } from 'kysely'
import type { ClientConfig } from 'pg'
import type { BaseLogger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import { type AppEvent, newsIn } from './event.ts'
import { startListening } from './listening.ts'
import { createOutbox } from './outbox.ts'

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
