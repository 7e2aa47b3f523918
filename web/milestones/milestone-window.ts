import { useState } from 'react'
import type { Milestone } from '#contract/milestones.ts'
import { isUnsaved } from '#web/saving/overlay.ts'

/** How many milestones are shown at first, and by how many more each time. */
const STEP = 60

/** The places of the milestones that are shown; `to` is not included, and may be beyond the end. */
type Range = { from: number; to: number }

type Listed = Pick<Milestone, '_id' | 'version'>

/**
 * Returns the milestones to show of a long timeline: those around the selected one, or a new one at the end, and what was added in
 * either direction. A page with thousands of cards would be slow.
 */
export function useMilestoneWindow(milestones: readonly Milestone[], selectedId: string | undefined) {
  const [previous, setRange] = useState<Range>()
  const range = rangeToShow(previous, milestones, selectedId)
  if (range !== previous) setRange(range)
  return { ...windowOf(milestones, range), showEarlier, showLater }

  function showEarlier() {
    setRange(earlier(range))
  }

  function showLater() {
    setRange(later(range))
  }
}

export const earlier = ({ from, to }: Range): Range => ({ from: Math.max(0, from - STEP), to })
export const later = ({ from, to }: Range): Range => ({ from, to: to + STEP })

/** Returns the milestones in a range, and the numbers of those before and after it. */
export function windowOf<M extends Listed>(milestones: readonly M[], { from, to }: Range) {
  return {
    shown: milestones.slice(from, to),
    earlier: from,
    later: Math.max(0, milestones.length - to),
  }
}

/** Returns the range that was shown, unless what has to be shown is outside of it. */
export function rangeToShow(
  range: Range | undefined,
  milestones: readonly Listed[],
  selectedId: string | undefined,
): Range {
  const index = indexToShow(milestones, selectedId)
  if (!range) return around(index, milestones.length)
  // Many milestones may have been deleted at once, elsewhere.
  const isPastEnd = range.from > 0 && range.from >= milestones.length
  const isOutside = index !== -1 && (index < range.from || index >= range.to)
  return isOutside || isPastEnd ? around(index, milestones.length) : range
}

function around(index: number, length: number): Range {
  const from = Math.max(0, Math.min(index - STEP / 2, length - STEP))
  return { from, to: from + STEP }
}

/** The index of the selected milestone, else of one that is being created, else -1. */
function indexToShow(milestones: readonly Listed[], selectedId: string | undefined): number {
  const selected = milestones.findIndex(({ _id }) => _id === selectedId)
  return selected === -1 ? milestones.findIndex(isUnsaved) : selected
}
