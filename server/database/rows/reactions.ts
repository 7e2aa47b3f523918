import type { ReactionKind } from '#contract/reactions.ts'

/** A reaction of a reader, who is a hash under the salt of the year. */
export type EntryReactionRow = { entry_id: string; kind: ReactionKind; reader: Buffer; year: number }

/** The number of reactions of earlier years. */
export type EntryReactionTotalRow = { entry_id: string; kind: ReactionKind; count: number }

export type ReactionSaltRow = { year: number; salt: Buffer }

export type ReactionTables = {
  reaction_salts: ReactionSaltRow
  entry_reactions: EntryReactionRow
  entry_reaction_totals: EntryReactionTotalRow
}
