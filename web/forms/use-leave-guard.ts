import { useEffect, useRef, useState } from 'react'

/**
 * Asks before unsaved text is left behind: by closing its dialog in whatever way, Back included, or, in the browser's own
 * words, by closing the page. `onLeave` runs once somebody may go.
 */
export function useLeaveGuard(isUnsaved: () => boolean, onLeave: () => void) {
  const [isAsking, setAsking] = useState(false)
  const isFree = useRef(false)

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
  }

  /** Returns whether the form is left; otherwise the person is asked. */
  function close(): boolean {
    const mayGo = isFree.current || !isUnsaved()
    if (mayGo) leave()
    else setAsking(true)
    return mayGo
  }

  return { isAsking, close, leave, stay: () => setAsking(false) }
}
