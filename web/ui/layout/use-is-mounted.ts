import { useCallback, useEffect, useRef } from 'react'

/** Returns a function that returns whether the component is still on the screen, for what happens after a call has ended. */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return useCallback(() => isMounted.current, [])
}
