import { defaultScheduler, notifyManager } from '@tanstack/react-query'

/** A press that is held down for longer is no click in the making. */
const LONGEST_MS = 1_000
/** The time from the release of a touch to its click. */
const CLICK_MS = 300

/**
 * Returns a scheduler that keeps its callbacks back from the beginning of a press to its click, and a function that stops it. A
 * browser sends a click only if the released element is the pressed one: a response that arrived in between could replace the
 * button, or move it away from under the pointer, and the press would do nothing.
 */
export function createPressScheduler(
  page: EventTarget,
  run: (callback: () => void) => void = defaultScheduler,
) {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  let isPressed = false
  let kept: (() => void)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function release() {
    clearTimeout(timer)
    isPressed = false
    const due = kept
    kept = []
    for (const callback of due) run(callback)
  }

  function releaseAfter(milliseconds: number) {
    if (!isPressed) return
    clearTimeout(timer)
    timer = setTimeout(release, milliseconds)
  }

  function press() {
    isPressed = true
    releaseAfter(LONGEST_MS)
  }

  page.addEventListener('pointerdown', press, options)
  page.addEventListener('pointerup', () => releaseAfter(CLICK_MS), options)
  // The page is scrolled or zoomed.
  page.addEventListener('pointercancel', release, options)
  // The space bar presses a button when it is released.
  page.addEventListener('keydown', (event) => isSpaceOnButton(event) && press(), options)
  page.addEventListener('keyup', () => releaseAfter(CLICK_MS), options)
  // After the handlers of the click.
  page.addEventListener('click', () => releaseAfter(0), options)

  return {
    schedule: (callback: () => void) => void (isPressed ? kept.push(callback) : run(callback)),
    stop() {
      listening.abort()
      release()
    },
  }
}

const isSpaceOnButton = (event: Event) =>
  'key' in event &&
  event.key === ' ' &&
  event.target instanceof Element &&
  event.target.matches('button, summary')

/** Redraws no data from the server while a button is being pressed, on every screen. Returns a function that stops it. */
export function steadyPresses(): () => void {
  const scheduler = createPressScheduler(window)
  notifyManager.setScheduler(scheduler.schedule)
  return () => {
    notifyManager.setScheduler(defaultScheduler)
    scheduler.stop()
  }
}
