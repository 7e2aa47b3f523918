/**
 * Records the last click on a button before React listens, and repeats it as soon as React does. React hydrates what a
 * click needs at once, but it never sees a click from before `hydrateRoot`. Buttons that work without React are left
 * alone: popovers, submit buttons of forms, and theme toggles. Runs as an `InlineScript`.
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

  function replay() {
    removeEventListener('click', record, true)
    button?.click()
  }

  addEventListener('click', record, true)
  addEventListener('milepost:hydrating', replay, { once: true })
}

/** To be called right after `hydrateRoot`. */
export function replayEarlyClick() {
  dispatchEvent(new Event('milepost:hydrating'))
}
