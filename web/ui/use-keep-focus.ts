import { type RefObject, useEffect, useRef } from 'react'

/** Moves the focus to `fallback` when the focused item has been removed from a list of `count` items. */
export function useKeepFocus(fallback: RefObject<HTMLElement | null>, count: number): void {
  const previous = useRef(count)

  useEffect(() => {
    const shrunk = count < previous.current
    previous.current = count
    if (!shrunk) return undefined
    // Deferred until a closing dialog has tried to restore the focus to a button that is gone.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) fallback.current?.focus({ preventScroll: true })
    })
    return () => clearTimeout(timer)
  }, [count, fallback])
}
