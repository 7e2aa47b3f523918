import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { historyLayers } from './use-history-layer.ts'

/**
 * Closes a native popover whenever the route changes, and by Back; outside clicks and Escape close it by themselves. One
 * that was opened before the app had started stays open.
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
    historyLayers().settle()
  }, [key, popover])
}

function closeByBack(popover: HTMLElement): () => void {
  let closed: (() => void) | undefined

  function close() {
    popover.hidePopover()
    return true
  }

  // Listened to on the element itself: React would have the events of tooltips within it bubble up to it.
  function follow() {
    closed?.()
    closed = popover.matches(':popover-open') ? historyLayers().open(close) : undefined
  }

  follow()
  popover.addEventListener('toggle', follow)
  return () => {
    popover.removeEventListener('toggle', follow)
    closed?.()
  }
}
