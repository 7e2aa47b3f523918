import { type ReactNode, type RefObject, useEffect, useRef } from 'react'

/** Text for screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>
}

/** The first link of the page, which skips the navigation bar and leads to the element with the id `main`. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-50 rounded-md bg-ink px-4 py-2 font-semibold text-surface focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to content
    </a>
  )
}

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
