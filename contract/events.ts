import { z } from 'zod'
import { id } from './wire.ts'

/**
 * An event of the stream at EVENTS_PATH: it says what to read again, never the data itself. `ready`: the stream is open, and events
 * before it (or while it was interrupted) may have been missed. `notifications`: mine have changed.
 * `project`: something in it has changed, or my rights in it.
 */
export const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('notifications') }),
  z.object({ type: z.literal('project'), projectId: id }),
])
export type Event = z.infer<typeof event>
