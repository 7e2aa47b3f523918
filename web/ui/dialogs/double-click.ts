const LAYER = '[role$=dialog], dialog'

/**
 * Drops the second click of a double click whose first one has closed a dialog: it would press whatever the dialog had
 * covered, as the link of another project.
 */
export function ignoreClicksThroughDialogs(): () => void {
  /** The dialog that the first click of the latest series was in. */
  let dialog: Element | null = null

  function onClick(event: MouseEvent) {
    const { target, detail } = event
    if (detail <= 1) {
      dialog = target instanceof Element ? target.closest(LAYER) : null
    } else if (dialog && !dialog.isConnected) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  addEventListener('click', onClick, true)
  return () => removeEventListener('click', onClick, true)
}
