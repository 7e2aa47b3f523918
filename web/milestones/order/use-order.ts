import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Milestone } from '#contract/milestones.ts'
import { useMoveMilestone } from '#web/milestones/mutations.ts'
import { atIndex, atPlace, type Place, placeOf } from './place.ts'

/** The milestone that is being moved, and where it would be dropped. */
type Moving = { id: string; index: number; by: 'keys' | 'drag' }

export const moveButtonId = (milestoneId: string) => `move-${milestoneId}`

/** The order of milestones while one is moved, and what a screen reader says about it. */
export function useOrder(projectId: string, milestones: readonly Milestone[]) {
  const [moving, setMoving] = useState<Moving | null>(null)
  const [dropped, setDropped] = useState<Place | null>(null)
  const [spoken, setSpoken] = useState('')
  const { mutate } = useMoveMilestone(projectId)
  // The cache has the new order only some moments after the drop.
  const settled = dropped ? atPlace(milestones, dropped) : milestones
  const shown = moving ? atIndex(settled, moving.id, moving.index) : settled
  const keepFocus = useKeptFocus(moving)

  const titleOf = (id: string) => milestones.find(({ _id }) => _id === id)?.title ?? ''
  const say = (id: string, index: number, after = '') =>
    setSpoken(`${titleOf(id)}, ${index + 1} of ${milestones.length}${after}`)

  function start(id: string, by: Moving['by']) {
    const index = settled.findIndex(({ _id }) => _id === id)
    if (index < 0) return
    setMoving({ id, index, by })
    // Safari does not focus a button that is pressed.
    if (by === 'keys') document.getElementById(moveButtonId(id))?.focus()
    if (by === 'keys') say(id, index, '. Arrow keys move it, Enter puts it down, Escape puts it back.')
  }

  function moveTo(wanted: number) {
    if (!moving) return
    const index = Math.min(Math.max(0, wanted), milestones.length - 1)
    if (index === moving.index) return
    keepFocus()
    setMoving({ ...moving, index })
    say(moving.id, index)
  }

  function drop() {
    if (!moving) return
    const place = placeOf(shown, moving.id)
    say(moving.id, moving.index, '. Put down.')
    setMoving(null)
    if (place.after === placeOf(settled, moving.id).after) return
    setDropped(place)
    mutate(
      { id: place.id, place: { after: place.after } },
      { onSettled: () => setDropped((latest) => (latest === place ? null : latest)) },
    )
  }

  function cancel() {
    if (!moving) return
    say(
      moving.id,
      settled.findIndex(({ _id }) => _id === moving.id),
      '. Put back.',
    )
    setMoving(null)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!moving || moving.by !== 'keys') return
    const steps: { [key: string]: () => void } = {
      ArrowUp: () => moveTo(moving.index - 1),
      ArrowDown: () => moveTo(moving.index + 1),
      Home: () => moveTo(0),
      End: () => moveTo(milestones.length - 1),
      Escape: cancel,
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    step()
  }

  return { shown, moving, spoken, start, moveTo, drop, cancel, onKeyDown }
}

/** Browsers take the focus from an element that moves in the document. Returns a function that keeps the present one. */
function useKeptFocus(moving: Moving | null): () => void {
  const held = useRef<Element | null>(null)

  useLayoutEffect(() => {
    if (moving?.by !== 'keys') return
    const before = held.current
    if (before instanceof HTMLElement && document.activeElement === document.body)
      before.focus({ preventScroll: true })
    document.getElementById(moveButtonId(moving.id))?.closest('li')?.scrollIntoView({ block: 'nearest' })
  }, [moving])

  return () => {
    held.current = document.activeElement
  }
}
