/** How long a conversation is shown before the next one. */
export const ROTATION_MS = 8_000
/** The time between two messages. */
const TYPING_DELAY_MS = 1_500
/** The part of that delay before the next speaker is shown typing. */
const MESSAGE_GAP_MS = 1_000

/** A step of the animation: a conversation, the number of visible messages, and whether the next is being typed. */
export type ChatStep = { group: number; shown: number; typing: boolean; lasts: number }

/** Returns the steps of one round through all conversations, given their numbers of messages. */
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

/** The classes of the part of a message that appears; `shown` is null while another conversation is shown. */
export const messageClasses = {
  base: 'max-w-[88%] sm:max-w-[80%]',
  visible: 'animate-rise',
  // Never made visible, as that would also show it through the Loading screen.
  waiting: 'motion-safe:not-noscript:not-print:invisible',
  elsewhere: 'invisible',
} as const
