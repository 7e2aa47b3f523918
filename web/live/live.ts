import type { QueryClient } from '@tanstack/react-query'
import type { Event } from '#contract/events.ts'
import { createCatchUp } from './catch-up.ts'
import { EventStream } from './event-stream.ts'

/** The lock of the tab that reads the stream, and the channel on which it passes on what it hears. */
const NAME = 'milepost-live'

const JUST_FETCHED_MS = 5_000

/**
 * Follows what others change, until the signal. One tab of a browser reads the stream, because browsers open few
 * connections to one host, and tells the others; when it is closed another one takes over. Where locks are withheld
 * (plain http under another name than localhost) there is none: screens are then brought up to date as they are looked at.
 */
export function startLive(client: QueryClient, signal: AbortSignal): void {
  const locks = (navigator as Partial<Navigator>).locks
  if (!locks || signal.aborted) return
  const catchUp = createCatchUp(client, signal)
  const channel = new BroadcastChannel(NAME)
  const begun = Date.now()
  let isFirst = true

  function hear(event: Event) {
    const isBeginning = event.type === 'ready' && isFirst && Date.now() - begun < JUST_FETCHED_MS
    if (event.type === 'ready') isFirst = false
    if (isBeginning) catchUp.later()
    else void catchUp.with(event)
  }

  const stream = new EventStream((event) => {
    hear(event)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
    channel.postMessage(event)
  })
  channel.addEventListener('message', ({ data }: MessageEvent<Event>) => hear(data))
  signal.addEventListener('abort', () => channel.close())
  listenForWaking(stream, () => hear({ type: 'ready' }), signal)
  void locks
    .request(NAME, { signal }, () => stream.follow(signal))
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
}

/** A page that slept has not heard what its browser may have been told meanwhile. */
function listenForWaking(stream: EventStream, missed: () => void, signal: AbortSignal) {
  const hurry = () => {
    if (document.visibilityState === 'visible') stream.hurry()
  }
  addEventListener('online', () => stream.restart(), { signal })
  document.addEventListener('visibilitychange', hurry, { signal })
  document.addEventListener('resume', missed, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && missed(), { signal })
}
