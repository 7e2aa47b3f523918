import type { AppDeps } from '#server/deps.ts'
import { membersOf } from '#server/permissions/access.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import type { EventStream, Reader } from './event-stream.ts'
import { Streams } from './streams.ts'

const GATHER_MS = 100
const RETRY_MS = 1_000
const SWEEP_MS = 1_000
const BEAT_MS = 25_000

/** What signed-in people are told as it happens. */
export type Announcer = {
  /** Opens a stream. Throws `unavailable` where there are too many. */
  open(reader: Reader): EventStream
  /** How many streams are open. */
  count: () => number
  /** Ends all streams. */
  close(): void
}

/** Turns the news of all processes into what the readers of this one may know. */
export function createAnnouncer(deps: AppDeps, max: number): Announcer {
  const { db, events, identity, log } = deps
  const streams = new Streams(max, () => deps.clock().getTime())
  const projects = new Set<string>()
  let round: NodeJS.Timeout | undefined

  function heard(events: AppEvent) {
    if ('session' in events) streams.endSessions((sessionId) => sessionId === events.session)
    else if (!('person' in events)) tellMembersSoon(events.project)
    else if ('project' in events)
      streams.publish(events.person, { type: 'project', projectId: events.project })
    else streams.publish(events.person, { type: 'notifications' })
  }

  function tellMembersSoon(projectId: string) {
    if (streams.count === 0) return
    projects.add(projectId)
    round ??= setTimeout(() => void tellMembers(), GATHER_MS)
  }

  async function tellMembers() {
    const asked = [...projects]
    projects.clear()
    let pause = GATHER_MS
    try {
      for (const { projectId, userId } of await membersOf(db, asked))
        streams.publish(userId, { type: 'project', projectId })
    } catch (error) {
      log.warn({ err: error }, 'the members of changed projects could not be told; they are in a moment')
      for (const projectId of asked) projects.add(projectId)
      pause = RETRY_MS
    }
    round = projects.size > 0 && streams.count > 0 ? setTimeout(() => void tellMembers(), pause) : undefined
  }

  function interrupted() {
    const all = streams.all()
    for (const stream of all) stream.publish({ type: 'ready' })
    void endWithoutSession(all)
  }

  /** Ends those of the streams whose sign-in ended unheard. Where that cannot be found out, their readers come anew. */
  async function endWithoutSession(suspects: EventStream[]) {
    if (suspects.length === 0) return
    const ids = new Set(suspects.map(({ reader }) => reader.sessionId))
    try {
      const open = await identity.openAmong([...ids])
      streams.endSessions((sessionId) => ids.has(sessionId) && !open.has(sessionId))
    } catch (error) {
      log.warn({ err: error }, 'whether sign-ins still stand could not be asked: their streams end')
      streams.endSessions((sessionId) => ids.has(sessionId))
    }
  }

  const silence = events.subscribe({ onEvent: heard, onGap: interrupted })
  const sweeping = setInterval(() => streams.sweep(), SWEEP_MS)
  const beating = setInterval(() => streams.all().forEach((stream) => stream.beat()), BEAT_MS)

  return {
    open(reader) {
      const stream = streams.open(reader)
      // The sign-in may have ended after the token was checked and before the stream could hear of it.
      void endWithoutSession([stream])
      return stream
    },
    count: () => streams.count,
    close() {
      silence()
      clearInterval(sweeping)
      clearInterval(beating)
      clearTimeout(round)
      streams.close()
    },
  }
}
