import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Closes a native popover whenever the route changes; outside clicks and Escape close it by themselves. One that was
 * opened before the app had started stays open.
 */
export function useNavigationCloses(popover: RefObject<HTMLElement | null>) {
  const { key } = useLocation()
  const shown = useRef(key)
  useEffect(() => {
    if (shown.current === key) return
    shown.current = key
    popover.current?.hidePopover?.()
  }, [key, popover])
}
