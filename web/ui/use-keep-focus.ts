import { type RefObject, useEffect, useRef } from 'react'

/** Takes the keyboard to `fallback` when the thing it was on has just left a list of `count` things. */
export function useKeepFocus(fallback: RefObject<HTMLElement | null>, count: number): void {
  const previous = useRef(count)

  useEffect(() => {
    const shrunk = count < previous.current
    previous.current = count
    if (!shrunk) return undefined
    // After a closing dialog has tried to give the focus back to a button that is gone.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) fallback.current?.focus({ preventScroll: true })
    })
    return () => clearTimeout(timer)
  }, [count, fallback])
}
