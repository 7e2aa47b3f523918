import { z } from 'zod'
import { id } from './wire.ts'

/** Where a signed-in person's events flow: `text/event-stream`, with the bearer token in the header as ever. */
export const EVENTS_PATH = '/api/events'

/**
 * What a stream says: a hint of what to read again, never the thing itself. `ready`: the stream stands, and whatever
 * happened before it (or while it was interrupted) may have been missed. `notifications`: mine are others now.
 * `project`: something in it changed, or what I may do in it.
 */
export const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('notifications') }),
  z.object({ type: z.literal('project'), projectId: id }),
])
export type Event = z.infer<typeof event>
