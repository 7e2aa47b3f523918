/**
 * Starts the app of a page that can be read and followed without it: at the first touch, or else when the page has been
 * shown and the browser has nothing better to do. At once for somebody with a stored session, and where a form waits.
 * Other pages start theirs by themselves. Only its text travels (`InlineScript`); the policy knows the script that it
 * sets going by its text, too.
 */
export function startApp() {
  const PATIENCE_MS = 2_000
  const touches = ['pointerover', 'pointerdown', 'touchstart', 'keydown', 'focusin']
  const waiting = document.querySelector('script[type="late-module"]')
  if (!waiting) return

  function start() {
    for (const touch of touches) removeEventListener(touch, start, true)
    if (!waiting?.isConnected || waiting.hasAttribute('data-started')) return
    waiting.setAttribute('data-started', '')
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="late-modulepreload"]')) {
      link.rel = 'modulepreload'
    }
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = waiting.textContent
    document.head.append(script)
    script.remove()
  }

  function startWhenShown() {
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: PATIENCE_MS })
        else setTimeout(start, 0)
      }),
    )
  }

  if (document.documentElement.dataset.session !== undefined || document.forms.length > 0) start()
  else {
    for (const touch of touches) addEventListener(touch, start, true)
    if (document.readyState === 'complete') startWhenShown()
    else addEventListener('load', startWhenShown, { once: true })
  }
}
