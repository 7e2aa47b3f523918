import { useState } from 'react'
import type { Milestone } from '#contract/milestones.ts'
import { isTemporary } from '#web/api/temporary-id.ts'

/** How many milestones are shown at first, and by how many more each time. */
export const STEP = 60

/**
 * Returns the milestones to show of a long timeline: those around the selected one, or a new one at the end, and what was added in
 * either direction. A page with thousands of cards would be slow.
 */
export function useMilestoneWindow(milestones: readonly Milestone[], selectedId: string | undefined) {
  const [range, setRange] = useState(() => around(indexToShow(milestones, selectedId), milestones.length))
  const index = indexToShow(milestones, selectedId)
  const isOutside = index !== -1 && (index < range.from || index >= range.to)
  const { from, to } = isOutside ? around(index, milestones.length) : range
  if (isOutside) setRange({ from, to })
  return {
    shown: milestones.slice(from, to),
    earlier: from,
    later: Math.max(0, milestones.length - to),
    showEarlier: () => setRange({ from: Math.max(0, from - STEP), to }),
    showLater: () => setRange({ from, to: to + STEP }),
  }
}

function around(index: number, length: number) {
  const from = Math.max(0, Math.min(index - STEP / 2, length - STEP))
  return { from, to: from + STEP }
}

/** The index of the selected milestone, else of one that is being created. */
function indexToShow(milestones: readonly Milestone[], selectedId: string | undefined): number {
  const selected = milestones.findIndex(({ _id }) => _id === selectedId)
  return selected === -1 ? milestones.findIndex(isTemporary) : selected
}
