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

/** Focuses the first field, except on touch devices, where that would open the on-screen keyboard. */
export function focusFirstField(event: Event) {
  const content = event.currentTarget as HTMLElement
  const field = content.querySelector<HTMLElement>('input:not([type="hidden"], [disabled]), textarea, select')
  event.preventDefault()
  if (field && matchMedia('(pointer: fine)').matches) field.focus()
  else content.focus()
}

/** Whether a toast was pressed, which closes no dialog. */
export function isOnToast({ target }: Event) {
  return target instanceof Element && target.closest('[data-toasts]') !== null
}
