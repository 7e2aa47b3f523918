import { useEffect } from 'react'
import { ignoreCompositionKeys } from '#web/ui/controls/compositions.ts'
import { noteFailedStyleSheets } from '#web/ui/dialogs/on-demand.tsx'
import { ignoreSecondPresses } from '#web/ui/dialogs/second-presses.ts'
import { steadyPresses } from './steady-presses.ts'
import { keepPageOnDrop } from './stray-drops.ts'

/** Adds the listeners of the document on which the components of the app rely. */
export function useAppListeners(): void {
  useEffect(ignoreCompositionKeys, [])
  useEffect(ignoreSecondPresses, [])
  useEffect(steadyPresses, [])
  useEffect(noteFailedStyleSheets, [])
  useEffect(keepPageOnDrop, [])
  useEffect(keepFocusOnceSet, [])
}

/** Loads `keepFocus` on the first focus event; before it, no focus can be lost. */
function keepFocusOnceSet() {
  let path: EventTarget[] | undefined
  function load(event: FocusEvent) {
    const isFirst = path === undefined
    path = event.composedPath()
    if (!isFirst) return
    import('#web/ui/layout/keep-focus.ts').then(
      ({ keepFocus }) => {
        document.removeEventListener('focusin', load)
        return keepFocus(path ?? [])
      },
      // oxlint-disable-next-line no-console -- the page works without it
      (error: unknown) => console.warn(error),
    )
  }
  document.addEventListener('focusin', load)
}
