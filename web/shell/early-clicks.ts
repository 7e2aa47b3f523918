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
