import { useEffect, useRef } from 'react'

/**
 * Returns a handler that ignores calls after the first one until the component is rendered again: a second press may come before the
 * first one has been rendered, too early for a busy button or a closed dialog. The first call must cause a rendering.
 */
export function useFirstPress<Args extends unknown[]>(
  handle: (...args: Args) => unknown,
): (...args: Args) => void {
  const isPressed = useRef(false)
  useEffect(() => {
    isPressed.current = false
  })
  return (...args) => {
    if (isPressed.current) return
    isPressed.current = true
    handle(...args)
  }
}
