const PRESSED = '[role$=dialog], dialog, button, a[href]'

/** How soon the second press of a key follows the first, as the second click of a double click does. */
const DOUBLE_PRESS_MS = 500

/**
 * Drops the second click of a double click whose first one has taken away what it pressed: a dialog, and it would press whatever
 * that had covered, as the link of another project; or a row of a list, and it would press the same button of the next row.
 * Also drops Enter that is pressed twice or held down where the first press has closed a dialog: it would press its opener, which has
 * the focus again.
 */
export function ignoreSecondPresses(): () => void {
  /** The dialog and the button that the first click of the latest series was in. */
  let pressed: Element[] = []

  function onClick(event: MouseEvent) {
    if (event.detail <= 1) {
      const path = event.composedPath().filter((target) => target instanceof Element)
      pressed = path.filter((element) => element.matches(PRESSED))
    } else if (pressed.some((element) => !element.isConnected)) drop(event)
  }

  /** The dialog that Enter was pressed in, and when it was pressed last. */
  let dialog: Element | null = null
  let pressedAt = 0

  function onKeyDown(event: KeyboardEvent) {
    const { key, repeat, timeStamp, target } = event
    if (key !== 'Enter') return
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
