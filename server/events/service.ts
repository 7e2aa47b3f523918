import { filterUnrevoked } from '#server/access-tokens/service.ts'
import type { AppDeps } from '#server/deps.ts'
import { membersOf } from '#server/permissions/access.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import { type EventStream, type Reader, Streams } from './streams.ts'

const BATCH_MS = 100
const RETRY_MS = 1_000
const SWEEP_MS = 1_000
const HEARTBEAT_MS = 25_000

/** The event streams of signed-in users on this process. */
export type LiveEvents = {
  /** Opens a stream. Throws `unavailable` if there are too many. */
  open(reader: Reader): EventStream
  /** Returns the number of open streams. */
  count: () => number
  /** Ends all streams. */
  close(): void
}

/** Forwards the events of all processes to the readers of this process that may receive them. */
export function createLiveEvents(deps: AppDeps, max: number): LiveEvents {
  const { events, identity, log } = deps
  const streams = new Streams(max, () => deps.clock().getTime())
  const projectEvents = batchByMembers(deps, streams)

  function forward(events: AppEvent) {
    if ('session' in events) streams.endSession(events.session)
    else if (!('person' in events)) projectEvents.publish(events.project)
    else if ('entry' in events) streams.publish(events.person, { type: 'editors', entryId: events.entry })
    else if ('project' in events)
      streams.publish(events.person, { type: 'project', projectId: events.project })
    else streams.publish(events.person, { type: 'drafts' in events ? 'drafts' : 'notifications' })
  }

  function interrupted() {
    const all = streams.all()
    for (const stream of all) stream.publish({ type: 'ready' })
    void endWithoutSession(all)
  }

  /** Ends the streams whose session has ended. If the sessions cannot be read, ends all of them, and their readers reconnect. */
  async function endWithoutSession(suspects: EventStream[]) {
    if (suspects.length === 0) return
    const ids = new Set(suspects.map(({ reader }) => reader.sessionId))
    try {
      const open = await identity.openAmong([...ids])
      const unrevoked = await filterUnrevoked(deps, [...ids])
      for (const id of ids) if (!open.has(id) && !unrevoked.has(id)) streams.endSession(id)
    } catch (error) {
      log.warn({ err: error }, 'the open sessions could not be read: their streams end')
      for (const id of ids) streams.endSession(id)
    }
  }

  const stopListening = events.subscribe({ onEvent: forward, onGap: interrupted })
  const sweeping = setInterval(() => streams.sweep(), SWEEP_MS)
  const heartbeat = setInterval(() => streams.all().forEach((stream) => stream.beat()), HEARTBEAT_MS)

  return {
    open(reader) {
      const stream = streams.open(reader)
      // The session may have ended after the token was verified and before the stream was opened.
      void endWithoutSession([stream])
      return stream
    },
    count: () => streams.count,
    close() {
      stopListening()
      clearInterval(sweeping)
      clearInterval(heartbeat)
      projectEvents.stop()
      streams.close()
    },
  }
}

/** Publishes the changes of projects to their members. Changes within a short time share one query for the members. */
function batchByMembers({ db, log }: Pick<AppDeps, 'db' | 'log'>, streams: Streams) {
  const changed = new Set<string>()
  let round: NodeJS.Timeout | undefined

  async function publishAll() {
    const projectIds = [...changed]
    changed.clear()
    let pause = BATCH_MS
    try {
      for (const { projectId, userId } of await membersOf(db, projectIds))
        streams.publish(userId, { type: 'project', projectId })
    } catch (error) {
      log.warn({ err: error }, 'the members of changed projects could not be read; trying again')
      for (const projectId of projectIds) changed.add(projectId)
      pause = RETRY_MS
    }
    round = changed.size > 0 && streams.count > 0 ? setTimeout(() => void publishAll(), pause) : undefined
  }

  return {
    publish(projectId: string) {
      if (streams.count === 0) return
      changed.add(projectId)
      round ??= setTimeout(() => void publishAll(), BATCH_MS)
    },
    stop: () => clearTimeout(round),
  }
}
