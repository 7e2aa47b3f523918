import { useEffect, useState, useSyncExternalStore } from 'react'
import { conversations } from './voices.ts'

/** How long a conversation is shown before the next one. */
export const ROTATION_MS = 8_000
/** The time between two messages. */
const TYPING_DELAY_MS = 1_500
/** The part of that delay before the next speaker is shown typing. */
const MESSAGE_GAP_MS = 1_000

const sizes = conversations.map((messages) => messages.length)
const steps = chatSchedule(sizes)

/** Returns the visible step of the chat and its controls. It pauses while the page is hidden. */
export function useChat() {
  const [index, setIndex] = useState(0)
  const [paused, setPaused] = useState(false)
  const hidden = usePageHidden()
  const still = useReducedMotion() || paused
  const { group, shown, typing, lasts } = steps[index] ?? { group: 0, shown: 0, typing: false, lasts: 0 }

  useEffect(() => {
    const moves = !still && !hidden
    const timer = moves ? setTimeout(() => setIndex((index + 1) % steps.length), lasts) : undefined
    return () => clearTimeout(timer)
  }, [index, lasts, still, hidden])

  return {
    group,
    shown: still ? (sizes[group] ?? 0) : shown,
    typing: typing && !still,
    paused,
    togglePause: () => setPaused(!paused),
    choose: (chosen: number) => setIndex(steps.findIndex((step) => step.group === chosen)),
  }
}

function onVisibilityChange(changed: () => void) {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

function usePageHidden(): boolean {
  return useSyncExternalStore(
    onVisibilityChange,
    () => document.hidden,
    () => false,
  )
}

const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)')

function onMotionChange(changed: () => void) {
  const query = reducedMotion()
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

function useReducedMotion(): boolean {
  return useSyncExternalStore(
    onMotionChange,
    () => reducedMotion().matches,
    () => false,
  )
}

/** A step of the animation: a conversation, the number of visible messages, and whether the next is being typed. */
type ChatStep = { group: number; shown: number; typing: boolean; lasts: number }

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
