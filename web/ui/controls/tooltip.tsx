import { type FocusEvent, type PointerEvent, type ReactNode, useRef } from 'react'

const DELAY_MS = 400
const GAP_PX = 6

function position(tip: HTMLElement, anchor: HTMLElement) {
  const around = anchor.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const left = around.left + around.width / 2 - width / 2
  const below = around.bottom + GAP_PX
  const fits = below + height < innerHeight
  tip.style.left = `${Math.max(GAP_PX, Math.min(left, document.documentElement.clientWidth - width - GAP_PX))}px`
  tip.style.top = `${fits ? below : around.top - height - GAP_PX}px`
}

/** Returns whether the control has an open popover, which would be covered by the tooltip. */
const hasOpened = (anchor: HTMLElement) =>
  anchor.querySelector('button')?.popoverTargetElement?.matches(':popover-open') ?? false

/**
 * Writes into the permanent text node of a tooltip. If the node were removed while the focus moves from one control to the next,
 * a dialog would mistake it for the focused node and focus its first control.
 */
function write(tip: HTMLElement, text: string) {
  const node = tip.firstChild ?? tip.appendChild(document.createTextNode(''))
  node.nodeValue = text
}

/**
 * Shows a control's accessible name on hover and keyboard focus. The text is in the document only while it is shown, because a
 * search in the page for a title would otherwise find its buttons too.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const anchor = useRef<HTMLSpanElement>(null)
  const tip = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function show() {
    if (!tip.current?.isConnected || !anchor.current || hasOpened(anchor.current)) return
    write(tip.current, text)
    tip.current.showPopover?.()
    position(tip.current, anchor.current)
  }

  function showSoon(event: PointerEvent) {
    if (event.pointerType === 'mouse') timer.current = setTimeout(show, DELAY_MS)
  }

  /** Deferred: a closing popover restores the focus, and no other popover can be shown until it is closed. */
  function showFocused(event: FocusEvent) {
    if (event.target.matches(':focus-visible')) timer.current = setTimeout(show)
  }

  function hide() {
    clearTimeout(timer.current)
    if (!tip.current?.isConnected) return
    tip.current.hidePopover?.()
    write(tip.current, '')
  }

  return (
    <span
      ref={anchor}
      role="presentation"
      className="inline-flex"
      onPointerEnter={showSoon}
      onPointerLeave={hide}
      onPointerDown={hide}
      onClick={hide}
      onFocus={showFocused}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      <span
        ref={tip}
        popover="manual"
        aria-hidden="true"
        className="pointer-events-none fixed inset-auto m-0 max-w-80 truncate rounded-sm bg-ink px-2 py-1 text-xs font-medium text-surface shadow-md"
      />
    </span>
  )
}
