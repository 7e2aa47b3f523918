/**
 * Remembers the press of a button to which nothing listens yet, and presses it again when the app has started. What a
 * browser does by itself, with links, popovers and forms, is left to it, and the theme to its own script. Only its text
 * travels (`InlineScript`).
 */
export function rememberPress() {
  let pressed: HTMLButtonElement | undefined

  function remember({ target }: Event) {
    const button = target instanceof Element ? target.closest('button') : null
    const isHeard =
      button?.popoverTargetElement ||
      (button?.type === 'submit' && button.form) ||
      button?.dataset.themeToggle !== undefined
    pressed = button && !isHeard ? button : undefined
  }

  addEventListener('click', remember, true)
  addEventListener('milepost:listens', () => removeEventListener('click', remember, true), { once: true })
  addEventListener('milepost:started', () => pressed?.click(), { once: true })
}

/** From now on React hears of every press by itself, also while it takes the page over. */
export function tellListens() {
  dispatchEvent(new Event('milepost:listens'))
}

/** Every button of the page does what it says. */
export function tellStarted() {
  dispatchEvent(new Event('milepost:started'))
}
