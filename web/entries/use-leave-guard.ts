import { useCallback, useEffect, useRef, useState } from 'react'
import { type BlockerFunction, type Location, useBlocker } from 'react-router'

/** What of an address decides whether the editor stays. */
const openers = ['edit', 'milestone', 'selected']

function leaves(from: Location, to: Location): boolean {
  if (from.pathname !== to.pathname) return true
  const [before, after] = [new URLSearchParams(from.search), new URLSearchParams(to.search)]
  return openers.some((name) => before.get(name) !== after.get(name))
}

/**
 * Asks before unsaved text is left behind: by closing the dialog, by Back, or, in the browser's own words, by closing
 * the page. `onLeave` runs once somebody may go.
 */
export function useLeaveGuard(isUnsaved: () => boolean, onLeave: () => void, onClose: () => void) {
  const [isAsking, setAsking] = useState(false)
  const isFree = useRef(false)
  const blocker = useBlocker(
    useCallback<BlockerFunction>(
      ({ currentLocation, nextLocation }) =>
        !isFree.current && leaves(currentLocation, nextLocation) && isUnsaved(),
      [isUnsaved],
    ),
  )

  useEffect(() => {
    function warn(event: BeforeUnloadEvent) {
      if (!isFree.current && isUnsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUnsaved])

  /** Goes without asking. */
  function leave() {
    isFree.current = true
    setAsking(false)
    onLeave()
    if (blocker.state === 'blocked') blocker.proceed()
    else onClose()
  }

  function close() {
    if (isUnsaved()) setAsking(true)
    else leave()
  }

  function stay() {
    setAsking(false)
    blocker.reset?.()
  }

  return { isAsking: isAsking || blocker.state === 'blocked', close, leave, stay }
}
