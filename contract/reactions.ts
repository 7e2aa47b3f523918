import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { ids } from './parts/wire.ts'

/** What a reader can say of an entry with one press, in the order in which it is offered. */
export const REACTIONS = ['love', 'applause', 'smile', 'insight', 'curious'] as const
export type ReactionKind = (typeof REACTIONS)[number]

/** How many readers reacted to an entry in this way. */
const reaction = z.object({ kind: z.enum(REACTIONS), count: z.int() })
export type Reaction = z.infer<typeof reaction>

/** A reaction as a reader gets it: whether it is theirs, too. */
export type OfferedReaction = Reaction & { isMine: boolean }

export const reactionCalls = defineCalls({
  readReactions: {
    method: 'GET',
    path: '/api/milestones/:milestoneId/entries/:entryId/reactions',
    who: 'either',
    scope: 'read',
    summary: 'How many readers reacted to a published entry, by kind; nothing unless the project offers it',
    params: ids('milestoneId', 'entryId'),
    responses: { 200: z.array(reaction).max(REACTIONS.length) },
  },
})
