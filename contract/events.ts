import { z } from 'zod'
import { id } from './wire.ts'

/**
 * What the stream at EVENTS_PATH says: a hint of what to read again, never the thing itself. `ready`: the stream stands, and whatever
 * happened before it (or while it was interrupted) may have been missed. `notifications`: mine are others now.
 * `project`: something in it changed, or what I may do in it.
 */
export const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('notifications') }),
  z.object({ type: z.literal('project'), projectId: id }),
])
export type Event = z.infer<typeof event>
