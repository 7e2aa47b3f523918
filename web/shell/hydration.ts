/**
 * Hydrates a public page on the first interaction, or once an element with `data-needs-scripts` becomes visible: such a page is
 * readable and navigable without scripts, which are larger than the rest of it (decision 41). Hydrates immediately for a visitor
 * with a stored session, and if there is a form. Runs as an `InlineScript`; the content security policy allows the module script
 * that it starts by the hash of the same text.
 */
export function deferHydration() {
  const IDLE_TIMEOUT_MS = 2_000
  const interactions = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin']
  const deferred = document.querySelector('script[type="deferred-module"]')
  if (!deferred) return

  const inView = new IntersectionObserver((seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return
    inView.disconnect()
    if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: IDLE_TIMEOUT_MS })
    else setTimeout(start, 0)
  })

  function interact(event: Event) {
    // A page that loads under a resting pointer receives a move event without movement.
    const isRest =
      event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY
    if (!isRest) start()
  }

  function start() {
    inView.disconnect()
    for (const type of interactions) removeEventListener(type, interact, true)
    if (!deferred?.isConnected || deferred.hasAttribute('data-started')) return
    deferred.setAttribute('data-started', '')
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="deferred-modulepreload"]')) {
      link.rel = 'modulepreload'
    }
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = deferred.textContent
    // The script is no longer in the document when its imports fail.
    script.addEventListener('error', () => dispatchEvent(new Event('milepost:missing')), { once: true })
    document.head.append(script)
    script.remove()
  }

  function watch() {
    for (const part of document.querySelectorAll('[data-needs-scripts]')) inView.observe(part)
  }

  if (document.documentElement.dataset.session !== undefined || document.forms.length > 0) start()
  else {
    for (const type of interactions) addEventListener(type, interact, true)
    if (document.readyState === 'complete') watch()
    else addEventListener('load', watch, { once: true })
  }
}

/**
 * Records the last click on a button, picture or video before hydration, and repeats it when hydration is complete. React replays
 * no event from before `hydrateRoot`. During hydration it handles the buttons itself, but not the pictures and videos of rendered
 * Markdown, whose listeners are added by effects. Buttons that work without React are ignored: popovers, submit buttons of forms,
 * and theme toggles. Runs as an `InlineScript`.
 */
export function recordEarlyClick() {
  let control: HTMLElement | undefined
  let isHydrating = false

  function record(event: MouseEvent) {
    const { target, ctrlKey, metaKey, shiftKey, altKey } = event
    const clicked =
      target instanceof Element
        ? target.closest<HTMLElement>('button, a[data-video], .media-image:not(a *)')
        : null
    const isButton = clicked instanceof HTMLButtonElement
    // From here on React handles the buttons, except those in rendered Markdown.
    if (isHydrating && (isButton || !clicked)) return
    const worksAlone =
      isButton &&
      (clicked.popoverTargetElement ||
        (clicked.type === 'submit' && clicked.form) ||
        clicked.dataset.themeToggle !== undefined)
    control = clicked && !worksAlone ? clicked : undefined
    // Without scripts a video is a link to another site; the navigation is canceled for the player that will replace the
    // link.
    if (clicked?.dataset.video && deferred() && !(ctrlKey || metaKey || shiftKey || altKey))
      event.preventDefault()
  }

  const deferred = () => document.querySelector('script[type="deferred-module"]')

  addEventListener('click', record, true)
  addEventListener('milepost:hydrating', () => (isHydrating = true), { once: true })
  addEventListener(
    'milepost:hydrated',
    () => {
      removeEventListener('click', record, true)
      control?.click()
    },
    { once: true },
  )
}

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
  addEventListener('milepost:missing', report, { signal })
  addEventListener('milepost:hydrating', () => stopListening.abort(), { signal })
}

/** Call this before `hydrateRoot`, which adds React's listeners. */
export function announceHydration() {
  dispatchEvent(new Event('milepost:hydrating'))
}

/** Call this in an effect of the root component. Also marks the document for the journeys. */
export function announceHydrated() {
  document.documentElement.dataset.hydrated = ''
  dispatchEvent(new Event('milepost:hydrated'))
}
