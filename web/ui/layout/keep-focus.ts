const LAYER = '[role$=dialog], dialog, [popover]'

/**
 * Keeps the focus near its position: if the focused element is removed, disabled or hidden, its closest focusable ancestor gets
 * the focus. Otherwise the body would, and keyboards and screen readers would start at the top of the page. `path` is the path from
 * the element that got the focus before this was loaded up to the document.
 */
export function keepFocus(path: EventTarget[]): void {
  let focused: Element | null = null
  /** The focusable ancestors of the focused element, closest first; in a dialog also those of its opener. */
  let fallbacks: HTMLElement[] = []

  function remember([target, ...around]: EventTarget[]) {
    if (!(target instanceof Element)) return
    focused = target
    const behind = target.closest(LAYER) ? fallbacks : []
    fallbacks = [...new Set([...around.filter(isFocusable), ...behind])]
  }

  /**
   * A disabled or hidden element loses the focus a frame later; any other element lost it because of a press elsewhere, and is
   * ignored.
   */
  function onFocusOut({ relatedTarget }: FocusEvent) {
    if (relatedTarget !== null) return
    queueMicrotask(() => {
      if (isGone() || isHidden()) moveOnLater()
      else if (isOnBody()) focused = null
    })
  }

  const isGone = () => focused !== null && (!focused.isConnected || focused.matches(':disabled'))

  /** Not part of `isGone`, which is called after every change of the page: it computes the styles. */
  const isHidden = () => focused !== null && !isShown(focused)

  function moveOn() {
    if (!isOnBody() || !(isGone() || isHidden())) return
    const fallback = fallbacks.find(isShown) ?? document.querySelector('main')
    fallback?.focus({ preventScroll: true })
  }

  /** Waits for code that moves the focus itself, such as a closing dialog. */
  function moveOnLater() {
    requestAnimationFrame(() => setTimeout(moveOn))
  }

  const observer = new MutationObserver(() => isGone() && moveOnLater())
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', (event) => remember(event.composedPath()))
  document.addEventListener('focusout', onFocusOut)
  remember(path)
  if (isGone()) moveOnLater()
}

const isShown = (element: Element) => element.isConnected && element.getClientRects().length > 0

const isOnBody = () => document.activeElement === document.body

const isFocusable = (target: EventTarget): target is HTMLElement =>
  target instanceof HTMLElement && target.hasAttribute('tabindex')
