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
      className="sr-only z-50 rounded-md bg-ink font-semibold text-surface focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:px-4 focus:py-2"
    >
      Skip to content
    </a>
  )
}

/**
 * Moves the focus to `fallback` when the focused item has been removed from a list of `count` items; to the page's content
 * where the last item took the list with it.
 */
export function useKeepFocus(fallback: RefObject<HTMLElement | null>, count: number): void {
  const previous = useRef(count)

  useEffect(() => {
    const shrunk = count < previous.current
    previous.current = count
    if (!shrunk) return
    // Deferred until a closing dialog has tried to restore the focus to a button that is gone. Also where the item is back
    // by then, because removing it failed at once: it is another element.
    setTimeout(() => {
      const target = fallback.current ?? document.querySelector('main')
      if (document.activeElement === document.body) target?.focus({ preventScroll: true })
    })
  }, [count, fallback])
}
