import { useState } from 'react'

/**
 * Returns how many of these items may be shown above a list: all of them until the list is drawn, and from then on never more,
 * so that later ones do not push the list down.
 */
export function useRoomAbove(count: number, { isDrawn }: { isDrawn: boolean }): number {
  const [room, setRoom] = useState<number | null>(null)
  const next = isDrawn ? Math.min(room ?? count, count) : null
  if (next !== room) setRoom(next)
  return next ?? count
}
