import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { historyLayers } from './history-layers.ts'

/** Makes the browser's Back close an open layer. `close` may ask first; it returns whether the layer was closed. */
export function useHistoryLayer(isOpen: boolean, close: () => boolean): void {
  const closeByBack = useEffectEvent(close)

  useLayoutEffect(() => (isOpen ? historyLayers().open(() => closeByBack()) : undefined), [isOpen])
}

/**
 * Closes a native popover when the route changes and by the browser's Back; outside clicks and Escape close it natively.
 * A popover that was opened before hydration stays open.
 */
export function useNavigationCloses(popover: RefObject<HTMLElement | null>) {
  const { key } = useLocation()
  const shown = useRef(key)

  useEffect(() => {
    const { current } = popover
    if (!current?.togglePopover) return undefined
    return closeByBack(current)
  }, [popover])

  useEffect(() => {
    if (shown.current === key) return
    shown.current = key
    popover.current?.hidePopover?.()
    historyLayers().settleSoon()
  }, [key, popover])
}

function closeByBack(popover: HTMLElement): () => void {
  let closed: (() => void) | undefined

  function close() {
    popover.hidePopover()
    return true
  }

  function release() {
    closed?.()
    closed = undefined
  }

  // Native listeners: in React, toggle events of nested tooltips bubble.
  function follow() {
    release()
    if (popover.matches(':popover-open')) closed = historyLayers().open(close)
  }

  // Fires immediately, whereas `toggle` may fire after the history was settled for the page that a link in the popover opened.
  function releaseAtOnce({ newState }: ToggleEvent) {
    if (newState === 'closed') release()
  }

  follow()
  popover.addEventListener('toggle', follow)
  popover.addEventListener('beforetoggle', releaseAtOnce)
  return () => {
    popover.removeEventListener('toggle', follow)
    popover.removeEventListener('beforetoggle', releaseAtOnce)
    release()
  }
}
