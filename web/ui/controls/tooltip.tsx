import { clsx } from 'clsx'
import { type FocusEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import { DELAY_MS, hideTip, showTip } from './tips.ts'

type TooltipProps = { text: string; className?: string; children: ReactNode }

/**
 * Shows a control's accessible name on hover and keyboard focus. The text is in the document only while it is shown, because a
 * search in the page for a title would otherwise find its buttons too.
 */
export function Tooltip({ text, className, children }: TooltipProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  const tip = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function show() {
    if (tip.current && anchor.current) showTip(anchor.current, tip.current, text)
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
    if (tip.current) hideTip(tip.current)
  }

  return (
    <span
      ref={anchor}
      role="presentation"
      className={clsx('inline-flex', className)}
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
