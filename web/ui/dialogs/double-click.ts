const PRESSED = '[role$=dialog], dialog, button, a[href]'

/**
 * Drops the second click of a double click whose first one has taken away what it pressed: a dialog, and it would press whatever
 * that had covered, as the link of another project; or a row of a list, and it would press the same button of the next row.
 */
export function ignoreClicksThrough(): () => void {
  /** The dialog and the button that the first click of the latest series was in. */
  let pressed: Element[] = []

  function onClick(event: MouseEvent) {
    if (event.detail <= 1) {
      const path = event.composedPath().filter((target) => target instanceof Element)
      pressed = path.filter((element) => element.matches(PRESSED))
    } else if (pressed.some((element) => !element.isConnected)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  addEventListener('click', onClick, true)
  return () => removeEventListener('click', onClick, true)
}
