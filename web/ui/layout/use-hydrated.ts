import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Returns false on the server and during hydration, true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
