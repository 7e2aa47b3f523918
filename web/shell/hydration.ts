/**
 * Shows that the scripts of the page could not be fetched, and offers to reload it. Otherwise the Loading screen would cover the
 * page forever, and no control on it would work. Runs as an `InlineScript`.
 */
export function reportMissingScripts() {
  const stopListening = new AbortController()
  const { signal } = stopListening

  function report() {
    stopListening.abort()
    delete document.documentElement.dataset.session
    const message = document.createElement('div')
    message.role = 'alert'
    message.className =
      'fixed inset-x-0 bottom-0 z-40 flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-t border-line bg-raised px-4 py-3 text-sm text-ink shadow-lg'
    const reload = document.createElement('button')
    reload.className = 'rounded-sm px-2 py-1 font-semibold text-accent hover:text-accent-strong'
    reload.textContent = 'Reload the page'
    reload.addEventListener('click', () => location.reload())
    message.append('This page could not be loaded completely. Check your connection, then reload it.', reload)
    document.body.append(message)
  }

  addEventListener(
    'error',
    ({ target }) => target instanceof HTMLScriptElement && target.type === 'module' && report(),
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
