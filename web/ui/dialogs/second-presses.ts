const PRESSED = '[role$=dialog], dialog, button, a[href]'

/** The maximum time between the presses of a double press, as in a double click. */
export const DOUBLE_PRESS_MS = 500

/**
 * Drops the second click of a double click whose first click removed its target, because it would activate the element that is
 * there now: behind a closed dialog, for example the link of another project; in a list, the same button of the next row. Also
 * drops Enter that is pressed twice or held down if the first press closed a dialog: it would activate the dialog's opener, which
 * has the focus again. After another key, Enter is meant.
 */
export function ignoreSecondPresses(): () => void {
  /** The dialog and the button of the first click of the latest series. */
  let pressed: Element[] = []

  function onClick(event: MouseEvent) {
    if (event.detail <= 1) {
      const path = event.composedPath().filter((target) => target instanceof Element)
      pressed = path.filter((element) => element.matches(PRESSED))
    } else if (pressed.some((element) => !element.isConnected)) drop(event)
  }

  /** The dialog in which Enter was last pressed, and when. */
  let dialog: Element | null = null
  let pressedAt = 0

  function onKeyDown(event: KeyboardEvent) {
    const { key, repeat, timeStamp, target } = event
    if (key !== 'Enter') {
      dialog = null
      return
    }
    const isSecond = repeat || timeStamp - pressedAt < DOUBLE_PRESS_MS
    pressedAt = timeStamp
    if (isSecond && dialog?.isConnected === false) drop(event)
    else dialog = target instanceof Element ? target.closest('[role$=dialog]') : null
  }

  addEventListener('click', onClick, true)
  addEventListener('keydown', onKeyDown, true)
  return () => {
    removeEventListener('click', onClick, true)
    removeEventListener('keydown', onKeyDown, true)
  }
}

function drop(event: Event) {
  event.preventDefault()
  event.stopPropagation()
}
