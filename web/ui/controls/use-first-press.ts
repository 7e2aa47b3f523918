import { useEffect, useRef } from 'react'

/**
 * Returns a handler that ignores further calls until the component has been rendered again, or the work of the first call has
 * ended: a second press may come before the first one has been rendered, too early for a busy button or a closed dialog.
 */
export function useFirstPress<Args extends unknown[]>(
  handle: (...args: Args) => unknown,
): (...args: Args) => void {
  const isPressed = useRef(false)
  const release = () => {
    isPressed.current = false
  }
  useEffect(release)

  async function run(args: Args): Promise<void> {
    try {
      await handle(...args)
    } finally {
      release()
    }
  }

  return (...args) => {
    if (isPressed.current) return
    isPressed.current = true
    void run(args)
  }
}
