import { type PointerEvent as ReactPointerEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { indexUnder } from './place.ts'

/** How long a finger rests on an item before it is dragged, and how far it may move meanwhile, in pixels. */
const PRESS_MS = 350
const SLACK = 8
/** How near to an edge the pointer scrolls, and how fast. */
const EDGE = 56
const SPEED = 9

type Dragging = {
  /** Returns whether the item at this index of the list may be dragged. */
  onStart: (index: number) => boolean
  /** The dragged item is to be at this index. */
  onMove: (index: number) => void
  onDrop: () => void
  onCancel: () => void
}

/**
 * Dragging of the `li` in an element, at once by a mouse on an element with `data-grip`, and by a finger after a long press on
 * the item. Returns the ref of the element and its handler.
 */
export function useDrag(dragging: Dragging) {
  const root = useRef<HTMLDivElement>(null)
  /** The item that is dragged; while a finger only rests on it, null. */
  const dragged = useRef<Element | null>(null)
  const stop = useRef<AbortController>(null)
  // A drag outlives the rendering in which it began.
  const latest = useRef(dragging)
  useLayoutEffect(() => {
    latest.current = dragging
  })

  useEffect(() => {
    const element = root.current
    // Browsers scroll unless a listener that existed before the touch prevents it.
    const hold = (event: TouchEvent) => dragged.current && event.preventDefault()
    element?.addEventListener('touchmove', hold, { passive: false })
    return () => {
      element?.removeEventListener('touchmove', hold)
      stop.current?.abort()
    }
  }, [])

  const itemsOf = () => [...(root.current?.querySelectorAll(':scope > ol > li') ?? [])]

  // Several events of the pointer may come before React draws: each works on what the one before it changed.
  function follow(y: number) {
    const others = itemsOf().filter((item) => item !== dragged.current)
    const index = indexUnder(
      y,
      others.map((item) => item.getBoundingClientRect()),
    )
    flushSync(() => latest.current.onMove(index))
  }

  function onPointerDown(down: ReactPointerEvent) {
    const target = down.target instanceof Element ? down.target : null
    const item = target?.closest('li')
    const isTouch = down.pointerType === 'touch'
    if (!item || down.button !== 0 || !down.isPrimary || dragged.current) return
    if (
      isTouch
        ? target?.closest('button, input') && !target.closest('[data-grip]')
        : !target?.closest('[data-grip]')
    )
      return
    const ending = new AbortController()
    stop.current = ending
    const { signal } = ending
    let y = down.clientY
    let frame = 0

    function start() {
      const began = item && flushSync(() => latest.current.onStart(itemsOf().indexOf(item)))
      if (!began) return end()
      dragged.current = item
      frame = requestAnimationFrame(scroll)
    }

    function scroll() {
      const scroller = scrollerOf(item)
      const { top, bottom } = visibleBox(scroller)
      const by = y < top + EDGE ? -SPEED : y > bottom - EDGE ? SPEED : 0
      if (by !== 0) {
        const before = scroller.scrollTop
        scroller.scrollTop += by
        if (scroller.scrollTop !== before) follow(y)
      }
      frame = requestAnimationFrame(scroll)
    }

    function end() {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      ending.abort()
      dragged.current = null
    }

    const timer = isTouch ? setTimeout(start, PRESS_MS) : undefined
    const far = (event: PointerEvent) =>
      Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY)

    addEventListener(
      'pointermove',
      (event) => {
        y = event.clientY
        if (dragged.current) follow(y)
        else if (far(event) > SLACK && isTouch) end()
        else if (far(event) > SLACK) start()
      },
      { signal },
    )
    addEventListener(
      'pointerup',
      () => {
        const wasDragged = dragged.current !== null
        end()
        if (!wasDragged) return
        // Otherwise the press would follow the link or press the button on which it ends.
        addEventListener('click', prevent, { capture: true, once: true })
        setTimeout(() => removeEventListener('click', prevent, { capture: true }))
        latest.current.onDrop()
      },
      { signal },
    )
    const cancel = () => {
      const wasDragged = dragged.current !== null
      end()
      if (wasDragged) latest.current.onCancel()
    }
    addEventListener('pointercancel', cancel, { signal })
    addEventListener('keydown', (event) => event.key === 'Escape' && cancel(), { signal })
    addEventListener('contextmenu', (event) => dragged.current && event.preventDefault(), { signal })
    signal.addEventListener('abort', () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      dragged.current = null
    })
  }

  return { ref: root, onPointerDown }
}

function prevent(event: Event) {
  event.preventDefault()
  event.stopPropagation()
}

/** Returns the element that scrolls an item. */
function scrollerOf(item: Element | null | undefined): Element {
  for (let above = item?.parentElement; above; above = above.parentElement)
    if (above.scrollHeight > above.clientHeight && /auto|scroll/.test(getComputedStyle(above).overflowY))
      return above
  return document.documentElement
}

/** Returns the part of an element that is within the window. */
function visibleBox(element: Element): { top: number; bottom: number } {
  if (element === document.documentElement) return { top: 0, bottom: innerHeight }
  const { top, bottom } = element.getBoundingClientRect()
  return { top: Math.max(0, top), bottom: Math.min(innerHeight, bottom) }
}
