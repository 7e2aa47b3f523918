import { type RefObject, useEffect } from 'react'
import { useLocation } from 'react-router'

/** Closes a native popover whenever the route changes; outside clicks and Escape close it by themselves. */
export function useNavigationCloses(popover: RefObject<HTMLElement | null>) {
  const { key } = useLocation()
  // oxlint-disable-next-line react/exhaustive-deps -- the key of the location is what the effect waits for
  useEffect(() => {
    popover.current?.hidePopover?.()
  }, [key, popover])
}
