import type { QueryClient } from '@tanstack/react-query'
import type { Event } from '#contract/events.ts'
import { createCacheRefresher } from './cache-refresher.ts'
import { EventStream } from './event-stream.ts'

/** The name of the lock that the tab with the stream holds, and of the channel on which it forwards events. */
const NAME = 'milepost-live'

const JUST_FETCHED_MS = 5_000

/**
 * Subscribes to server events and refreshes the query cache accordingly, until the signal. One tab of a browser reads the stream,
 * because browsers limit connections per host, and forwards the events to the others; when it is closed, another tab takes over.
 * Without the Web Locks API (plain http on a host other than localhost) there is no stream, and screens refresh when they get the
 * focus.
 */
export function startLive(client: QueryClient, signal: AbortSignal): void {
  const locks = (navigator as Partial<Navigator>).locks
  if (!locks || signal.aborted) return
  const refresher = createCacheRefresher(client, signal)
  const channel = new BroadcastChannel(NAME)
  const startedAt = Date.now()
  let isFirst = true

  function onEvent(event: Event) {
    const isInitial = event.type === 'ready' && isFirst && Date.now() - startedAt < JUST_FETCHED_MS
    if (event.type === 'ready') isFirst = false
    if (isInitial) refresher.markStale()
    else void refresher.refresh(event)
  }

  const stream = new EventStream((event) => {
    onEvent(event)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel is same-origin
    channel.postMessage(event)
  })
  channel.addEventListener('message', ({ data }: MessageEvent<Event>) => onEvent(data))
  signal.addEventListener('abort', () => channel.close())
  reconnectOnWake(stream, () => onEvent({ type: 'ready' }), signal)
  void locks
    .request(NAME, { signal }, () => stream.follow(signal))
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
}

/** Reconnects and refreshes after the page was suspended or offline, because events may have been missed. */
function reconnectOnWake(stream: EventStream, onMissed: () => void, signal: AbortSignal) {
  const checkNow = () => {
    if (document.visibilityState === 'visible') stream.checkNow()
  }
  addEventListener('online', () => stream.restart(), { signal })
  document.addEventListener('visibilitychange', checkNow, { signal })
  document.addEventListener('resume', onMissed, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && onMissed(), { signal })
}
