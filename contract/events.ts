import { z } from 'zod'
import { id } from './parts/wire.ts'

/**
 * An event of the stream at EVENTS_PATH: it names what to refetch and carries no data. `ready`: the stream is open; events before
 * it (or during an interruption) may have been missed. `notifications`, `drafts`: the caller's have changed. `project`: something
 * in it, or the caller's rights in it, has changed. `editors`: somebody else opened or closed the editor of an entry of the
 * project that the caller has open.
 */
export const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('notifications') }),
  z.object({ type: z.literal('drafts') }),
  z.object({ type: z.literal('project'), projectId: id }),
  z.object({ type: z.literal('editors'), entryId: id }),
])
export type Event = z.infer<typeof event>
