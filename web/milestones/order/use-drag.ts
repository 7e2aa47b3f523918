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
  const press = useRef<Press>(null)
  // A drag outlives the rendering in which it began.
  const latest = useRef(dragging)
  useLayoutEffect(() => {
    latest.current = dragging
  })

  useEffect(() => {
    const element = root.current
    // Browsers scroll unless a listener that existed before the touch prevents it.
    const hold = (event: TouchEvent) => press.current?.isDragging && event.preventDefault()
    element?.addEventListener('touchmove', hold, { passive: false })
    return () => {
      element?.removeEventListener('touchmove', hold)
      press.current?.end()
    }
  }, [])

  function onPointerDown({ nativeEvent: down }: ReactPointerEvent) {
    const item = draggedBy(down)
    if (!item || !root.current || press.current?.isDragging) return
    press.current?.end()
    press.current = new Press(down, item, root.current, () => latest.current)
  }

  return { ref: root, onPointerDown }
}

/** Returns the item that a press may drag. */
function draggedBy({ target, pointerType, button, isPrimary }: PointerEvent): Element | null {
  if (!(target instanceof Element) || button !== 0 || !isPrimary) return null
  const isOnGrip = target.closest('[data-grip]') !== null
  const mayDrag = isOnGrip || (pointerType === 'touch' && !target.closest('button, input'))
  return mayDrag ? target.closest('li') : null
}

/** A press of an item, which becomes a drag once a mouse moves, or a finger has rested on it. */
class Press {
  isDragging = false
  readonly #down: PointerEvent
  readonly #item: Element
  readonly #list: Element
  readonly #dragging: () => Dragging
  readonly #over = new AbortController()
  readonly #timer: ReturnType<typeof setTimeout> | undefined
  #y: number
  #frame = 0

  constructor(down: PointerEvent, item: Element, list: Element, dragging: () => Dragging) {
    this.#down = down
    this.#item = item
    this.#list = list
    this.#dragging = dragging
    this.#y = down.clientY
    if (down.pointerType === 'touch') this.#timer = setTimeout(() => this.#start(), PRESS_MS)
    const { signal } = this.#over
    addEventListener('pointermove', (event) => this.#move(event), { signal })
    addEventListener('pointerup', () => this.#drop(), { signal })
    addEventListener('pointercancel', () => this.#cancel(), { signal })
    addEventListener('keydown', (event) => event.key === 'Escape' && this.#cancel(), { signal })
    addEventListener('contextmenu', (event) => this.isDragging && event.preventDefault(), { signal })
  }

  /** Ends it. Returns whether the item was dragged. */
  end(): boolean {
    const wasDragging = this.isDragging
    this.isDragging = false
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    this.#over.abort()
    return wasDragging
  }

  #items = () => [...this.#list.querySelectorAll(':scope > ol > li')]

  #start() {
    this.isDragging = flushSync(() => this.#dragging().onStart(this.#items().indexOf(this.#item)))
    if (this.isDragging) this.#frame = requestAnimationFrame(() => this.#scroll())
    else this.end()
  }

  #move({ clientX, clientY }: PointerEvent) {
    this.#y = clientY
    if (this.isDragging) return this.#follow()
    const isFar = Math.hypot(clientX - this.#down.clientX, clientY - this.#down.clientY) > SLACK
    if (isFar && this.#down.pointerType === 'touch') this.end()
    else if (isFar) this.#start()
  }

  // Several events of the pointer may come before React draws: each works on what the one before it changed.
  #follow() {
    const others = this.#items().filter((item) => item !== this.#item)
    const index = indexUnder(
      this.#y,
      others.map((item) => item.getBoundingClientRect()),
    )
    flushSync(() => this.#dragging().onMove(index))
  }

  #scroll() {
    const scroller = scrollerOf(this.#item)
    const { top, bottom } = visibleBox(scroller)
    const by = this.#y < top + EDGE ? -SPEED : this.#y > bottom - EDGE ? SPEED : 0
    const before = scroller.scrollTop
    if (by !== 0) scroller.scrollTop += by
    if (scroller.scrollTop !== before) this.#follow()
    this.#frame = requestAnimationFrame(() => this.#scroll())
  }

  #drop() {
    if (!this.end()) return
    // Otherwise the press would follow the link or press the button on which it ends.
    addEventListener('click', prevent, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', prevent, { capture: true }))
    this.#dragging().onDrop()
  }

  #cancel() {
    if (this.end()) this.#dragging().onCancel()
  }
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
