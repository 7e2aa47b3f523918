import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { EVENTS_PATH } from '#contract/events-path.ts'
import type { AppDeps } from '#server/deps.ts'
import { tokenEnd } from '#server/identity/tokens.ts'
import { type Authenticate, bearerOf, type Caller, requireScope } from '#server/platform/api/calls.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import { networkOf } from '#server/platform/network.ts'
import { createLiveEvents } from './service.ts'

const schema = {
  operationId: 'listenToEvents',
  summary: 'Stream the changes that concern the caller',
  description:
    'A stream of events in JSON, each of which says what to fetch again: `{"type":"ready"}` (everything), `{"type":"notifications"}`, `{"type":"drafts"}`, ' +
    '`{"type":"project","projectId":"…"}`, `{"type":"editors","entryId":"…"}`. It ends when the token expires or the session ends.',
  tags: ['events'],
  produces: ['text/event-stream'],
  response: { 200: z.string() },
}

type EventOptions = {
  authenticate: Authenticate
  eventStreamsMax: number
  metrics?: { figures: Metrics } | undefined
}

/** Mounts the event stream. It is not in the contract, because its response does not end. */
export function eventRoutes(api: FastifyInstance, deps: AppDeps, options: EventOptions): void {
  const liveEvents = createLiveEvents(deps, options.eventStreamsMax)
  api.addHook('preClose', async () => liveEvents.close())
  options.metrics?.figures.reads(
    'milepost_event_streams',
    'Streams of events that are open',
    liveEvents.count,
  )

  api.get(EVENTS_PATH, { schema, exposeHeadRoute: false }, async (request, reply) => {
    const token = bearerOf(request)
    const caller = await options.authenticate(token)
    requireScope(caller, 'read')
    const stream = liveEvents.open({ ...caller, network: networkOf(request.ip), until: endOf(token, caller) })
    return reply
      .headers({
        'content-type': 'text/event-stream',
        // A proxy that buffers or compresses the stream would delay events.
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      })
      .send(stream)
  })
}

/** Returns when a stream ends with its token, in milliseconds since the epoch. */
function endOf(token: string, { grant }: Caller): number {
  if (!grant) return tokenEnd(token).getTime()
  return grant.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
}
