import { useRef } from 'react'

/** Takes the keyboard back to where a dialog was opened from, unless that has gone meanwhile. */
export function useFocusReturn() {
  const opener = useRef<Element | null>(null)

  function remember() {
    opener.current = document.activeElement
  }

  function giveBack(event: Event) {
    event.preventDefault()
    const { current } = opener
    if (current instanceof HTMLElement && current.isConnected) current.focus({ preventScroll: true })
  }

  return { remember, giveBack }
}

/** The veil behind a dialog, and where on it the dialog stands. */
export const overlayClass =
  'fixed inset-0 z-40 flex animate-fade items-end justify-center overflow-hidden bg-scrim sm:items-center sm:p-6'
