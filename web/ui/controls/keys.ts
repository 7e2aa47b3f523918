import { useEffect, useEffectEvent } from 'react'

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)

/** Returns a shortcut as written on this platform, with Ctrl or ⌘. */
export const withCommand = (keys: string) => (isApple ? `⌘${keys.replace('Shift+', '⇧')}` : `Ctrl+${keys}`)

function isTyping(target: EventTarget | null) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  )
}

/** Whether a dialog is open above the page. */
export const isDialogOpen = (): boolean => document.querySelector('[role$=dialog], dialog') !== null

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
