import { showLoadFailure } from '#web/shell/load-failure.ts'

/**
 * Shows if the scripts of the page cannot be fetched. Otherwise the Loading screen would cover the page forever, and no control
 * on it would work.
 */
export function reportMissingScripts() {
  const stopListening = new AbortController()
  const { signal } = stopListening

  addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return
      stopListening.abort()
      showLoadFailure()
    },
    { capture: true, signal },
  )
  addEventListener('milepost:hydrating', () => stopListening.abort(), { signal })
}

/** Call this before `hydrateRoot`, which adds React's listeners. */
export function announceHydration() {
  dispatchEvent(new Event('milepost:hydrating'))
}

/** Call this in an effect of the root component. Also marks the document for the journeys. */
export function announceHydrated() {
  document.documentElement.dataset.ready = ''
  dispatchEvent(new Event('milepost:hydrated'))
}
