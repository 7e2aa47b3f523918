/** How long a conversation stays before the next takes its place. */
export const ROTATION_MS = 8_000
/** From the appearance of one message to that of the next. */
export const TYPING_DELAY_MS = 1_500
/** The part of it that passes in silence before the next speaker is seen typing. */
export const MESSAGE_GAP_MS = 1_000

/** What the chat shows for a while: a conversation, how many of its messages, and whether the next is being typed. */
export type ChatStep = { group: number; shown: number; typing: boolean; lasts: number }

/** One full round of the chat: every conversation in turn, given how many messages each has. */
export function chatSchedule(sizes: readonly number[]): ChatStep[] {
  return sizes.flatMap((size, group) => {
    const opening = { group, shown: 0, typing: true, lasts: TYPING_DELAY_MS }
    const replies = Array.from({ length: size - 1 }, (_, index) => [
      { group, shown: index + 1, typing: false, lasts: MESSAGE_GAP_MS },
      { group, shown: index + 1, typing: true, lasts: TYPING_DELAY_MS - MESSAGE_GAP_MS },
    ])
    const rest = { group, shown: size, typing: false, lasts: ROTATION_MS - size * TYPING_DELAY_MS }
    return [opening, ...replies.flat(), rest]
  })
}
