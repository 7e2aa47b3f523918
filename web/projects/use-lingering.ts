import { useEffect, useState } from 'react'

/** True while `active`, and for a while after it first ends. */
export function useLingering(active: boolean, ms: number): boolean {
  const [over, setOver] = useState(!active)

  useEffect(() => {
    if (active) return undefined
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [active, ms])

  return active || !over
}
