/**
 * Hides the keys of input methods from every handler of the page: an Escape that cancels a conversion or an Enter that confirms one
 * closes and submits nothing. The input method and the text field still get them. Only the event itself tells: in Safari it comes
 * after the end of its composition, with the key code of input methods; the key that ends a Korean syllable or an accent comes once
 * more, as a key of ours, and is meant. Keys that an input method only reports (`Process`, and those of Android's keyboards) are no
 * key of ours, and the editor needs them.
 */
export function ignoreCompositionKeys(): () => void {
  function onKey(event: KeyboardEvent) {
    if (event.key === 'Process' || event.key === 'Unidentified') return
    // oxlint-disable-next-line typescript/no-deprecated -- the only sign of a composition in Safari
    if (!event.isComposing && event.keyCode !== 229) return
    event.stopImmediatePropagation()
    // Safari would close a popover by it.
    if (event.key === 'Escape') event.preventDefault()
  }

  addEventListener('keydown', onKey, true)
  return () => removeEventListener('keydown', onKey, true)
}
