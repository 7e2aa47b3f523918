import { useEffect, useEffectEvent } from 'react'

function isTyping(target: EventTarget | null) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  )
}

/** Runs something when a key is pressed by itself, wherever the keyboard is, unless somebody is typing. */
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
