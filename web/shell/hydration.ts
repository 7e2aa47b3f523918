/**
 * Hydrates a public page on the first interaction, or else once it is painted and the browser is idle: such a page can
 * be read and followed without scripts, and fetching them at once delays the largest paint by a second on a phone
 * (decision 41). Hydrates at once for a visitor with a stored session, and where there is a form. Runs as an
 * `InlineScript`; the content security policy allows the module script that it starts by the hash of the same text.
 */
export function deferHydration() {
  const IDLE_TIMEOUT_MS = 2_000
  const interactions = ['pointerover', 'pointerdown', 'touchstart', 'keydown', 'focusin']
  const deferred = document.querySelector('script[type="deferred-module"]')
  if (!deferred) return

  function start() {
    for (const type of interactions) removeEventListener(type, start, true)
    if (!deferred?.isConnected || deferred.hasAttribute('data-started')) return
    deferred.setAttribute('data-started', '')
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="deferred-modulepreload"]')) {
      link.rel = 'modulepreload'
    }
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = deferred.textContent
    document.head.append(script)
    script.remove()
  }

  function startAfterPaint() {
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: IDLE_TIMEOUT_MS })
        else setTimeout(start, 0)
      }),
    )
  }

  if (document.documentElement.dataset.session !== undefined || document.forms.length > 0) start()
  else {
    for (const type of interactions) addEventListener(type, start, true)
    if (document.readyState === 'complete') startAfterPaint()
    else addEventListener('load', startAfterPaint, { once: true })
  }
}

/**
 * Records the last click on a button before hydration begins, and repeats it when hydration is complete. React replays
 * no event from before `hydrateRoot`; those during hydration it handles itself. Buttons that work without React are
 * left alone: popovers, submit buttons of forms, and theme toggles. Runs as an `InlineScript`.
 */
export function recordEarlyClick() {
  let button: HTMLButtonElement | undefined

  function record({ target }: Event) {
    const clicked = target instanceof Element ? target.closest('button') : null
    const worksAlone =
      clicked?.popoverTargetElement ||
      (clicked?.type === 'submit' && clicked.form) ||
      clicked?.dataset.themeToggle !== undefined
    button = clicked && !worksAlone ? clicked : undefined
  }

  addEventListener('click', record, true)
  addEventListener('milepost:hydrating', () => removeEventListener('click', record, true), { once: true })
  addEventListener('milepost:hydrated', () => button?.click(), { once: true })
}

/** To be called before `hydrateRoot`, from when React listens. */
export function announceHydration() {
  dispatchEvent(new Event('milepost:hydrating'))
}

/** To be called by an effect of the root component. Also marks the document, for the journeys. */
export function announceHydrated() {
  document.documentElement.dataset.hydrated = ''
  dispatchEvent(new Event('milepost:hydrated'))
}
