import { z } from 'zod'
import { id } from './wire.ts'

/**
 * An event of the stream at EVENTS_PATH: it says what to read again, never the data itself. `ready`: the stream is open, and events
 * before it (or while it was interrupted) may have been missed. `notifications`, `drafts`: mine have changed.
 * `project`: something in it has changed, or my rights in it. `editors`: somebody else opened or closed the editor of an
 * entry that I have open there.
 */
export const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('notifications') }),
  z.object({ type: z.literal('drafts') }),
  z.object({ type: z.literal('project'), projectId: id }),
  z.object({ type: z.literal('editors'), entryId: id }),
])
export type Event = z.infer<typeof event>
