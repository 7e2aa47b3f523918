import { useEffect, useState, useSyncExternalStore } from 'react'
import { chatSchedule } from './chat-schedule.ts'
import { conversations } from './voices.ts'

const sizes = conversations.map((messages) => messages.length)
const steps = chatSchedule(sizes)

/** What the chat shows now, and the reader's hold on it. It rests while nobody can see the page. */
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
