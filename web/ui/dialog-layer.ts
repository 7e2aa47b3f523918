import { useRef } from 'react'

/** Returns the focus to the element that opened a dialog, if it is still in the document. */
export function useFocusReturn() {
  const opener = useRef<Element | null>(null)

  function remember() {
    opener.current = document.activeElement
  }

  function restore(event: Event) {
    event.preventDefault()
    const { current } = opener
    if (current instanceof HTMLElement && current.isConnected) current.focus({ preventScroll: true })
  }

  return { remember, restore }
}

/** The class of a dialog's overlay, which also positions the dialog. */
export const overlayClass =
  'fixed inset-0 z-40 flex animate-fade items-end justify-center overflow-hidden bg-scrim sm:items-center sm:p-6'
