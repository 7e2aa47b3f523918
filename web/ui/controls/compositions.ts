/** How long after the end of a composition the key that ended it may still arrive: in Safari, its keydown comes last. */
const LATE_MS = 100

/**
 * Hides the keys of input methods from every handler of the page: an Escape that cancels a conversion or an Enter that confirms one
 * closes and submits nothing. The input method and the text field still get them. Keys that an input method only reports
 * (`Process`, and those of Android's keyboards) are no key of ours, and the editor needs them.
 */
export function ignoreCompositionKeys(): () => void {
  let endedAt = Number.NEGATIVE_INFINITY
  // Android's keyboards compose every word, and end it with the Enter that is meant.
  const mayBeLate = !/android/i.test(navigator.userAgent)

  function onEnd({ timeStamp }: CompositionEvent) {
    endedAt = timeStamp
  }

  function onKey(event: KeyboardEvent) {
    const isLate = mayBeLate && event.timeStamp - endedAt < LATE_MS
    endedAt = Number.NEGATIVE_INFINITY
    if (event.key === 'Process' || event.key === 'Unidentified') return
    // oxlint-disable-next-line typescript/no-deprecated -- the only sign of a composition in Safari
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
    else if (isLate) {
      event.stopImmediatePropagation()
      // The field must not act on it either: a form would be sent, a popover closed.
      event.preventDefault()
    }
  }

  function onKeyUp() {
    endedAt = Number.NEGATIVE_INFINITY
  }

  addEventListener('compositionend', onEnd, true)
  addEventListener('keydown', onKey, true)
  addEventListener('keyup', onKeyUp, true)
  return () => {
    removeEventListener('compositionend', onEnd, true)
    removeEventListener('keydown', onKey, true)
    removeEventListener('keyup', onKeyUp, true)
  }
}
