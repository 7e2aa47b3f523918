import { useEffect, useEffectEvent } from 'react'

function isTyping(target: EventTarget | null) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  )
}

/** Runs a function when a key is pressed without modifiers, unless the focus is in a text control. */
export function useKey(key: string, run: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const taken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey
    if (event.key !== key || taken || isTyping(event.target)) return
    event.preventDefault()
    run()
  })

  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
