import { useEffect, useState } from 'react'

const PAUSE_MS = 30_000

/** The time, told anew every half minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), PAUSE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
