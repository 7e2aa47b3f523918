import {
  ISSUER_BACK_MAX,
  ISSUER_FRAGMENT,
  ISSUER_MESSAGE,
  ISSUER_START,
  type IssuerMessage,
} from '#contract/sign-in.ts'
import type { PopupOutcome } from './provider.ts'

const WIDTH = 500
const HEIGHT = 640
const POLL_MS = 250
/** The popup's message may arrive after the popup was closed. */
const GRACE_MS = 1_500
/** A sign-in expires at the server after ten minutes. */
const LATE_MS = 10 * 60_000

/**
 * Signs in through the issuer in a popup, or proves there who the signed-in person is. Must be called within the click event, or browsers block
 * the popup.
 */
export function openIssuerPopup(start = ISSUER_START): Promise<PopupOutcome> {
  if (!hasPopups()) return signInInThisTab(start)
  const name = randomName()
  const url = `${start}?${new URLSearchParams({ window: name })}`
  const popup = window.open(url, '_blank', `popup,${centredOnWindow()}`)
  return popup ? outcomeOf(popup, name) : Promise.resolve('blocked')
}

/** Whether this browser can show a popup beside the page: not a phone's, and not an installed application. */
function hasPopups(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  const isTablet = userAgent.includes('Macintosh') && maxTouchPoints > 1
  const isMobile = /Android|iPhone|iPad|iPod|Mobile/.test(userAgent) || isTablet
  const modes = ['standalone', 'minimal-ui', 'fullscreen', 'window-controls-overlay']
  return !isMobile && !modes.some((mode) => matchMedia(`(display-mode: ${mode})`).matches)
}

/**
 * Leaves this page for the issuer, which leads back to it; `finishInThisTab` then goes on. Resolves only if the person comes back
 * without an answer.
 */
export function signInInThisTab(start = ISSUER_START): Promise<PopupOutcome> {
  const here = location.pathname + location.search
  const back = here.length <= ISSUER_BACK_MAX && /^[\w\-.~%&=+/?]*$/.test(here) ? here : location.pathname
  location.assign(`${start}?${new URLSearchParams({ window: randomName(), back })}`)
  return new Promise((resolve) => {
    addEventListener('pageshow', ({ persisted }) => persisted && resolve('cancelled'), { once: true })
  })
}

function outcomeOf(popup: Window, name: string): Promise<PopupOutcome> {
  return new Promise((resolve) => {
    const ended = new AbortController()
    const channel = new BroadcastChannel(ISSUER_MESSAGE)
    let isCancelled = false
    let closedFor = 0
    const watch = setInterval(() => {
      // An issuer's page with an opener policy disconnects the popup, which looks closed from then on. One that was really closed
      // has returned the focus to this page.
      closedFor = popup.closed && document.hasFocus() ? closedFor + POLL_MS : 0
      if (closedFor > GRACE_MS) cancel()
    }, POLL_MS)

    function end(outcome: PopupOutcome) {
      clearInterval(watch)
      ended.abort()
      channel.close()
      if (!isCancelled) resolve(outcome)
      // The popup was only disconnected: its outcome goes the way of a sign-in in this tab.
      else if (/^\/(login|register)$/.test(location.pathname)) location.hash = ISSUER_FRAGMENT + outcome
    }

    function cancel() {
      clearInterval(watch)
      isCancelled = true
      resolve('cancelled')
      setTimeout(() => {
        ended.abort()
        channel.close()
      }, LATE_MS)
    }

    const onMessage = (data: unknown) => {
      if (!isMessage(data)) return
      // A server without a pending sign-in, which expires after ten minutes, does not know the name.
      const isUnknown = data.window === '' && data.outcome === 'expired' && !isCancelled
      if (data.window === name || isUnknown) end(data.outcome)
    }
    addEventListener(
      'message',
      ({ origin, source, data }: MessageEvent<unknown>) => {
        if (origin === location.origin && source === popup) onMessage(data)
      },
      { signal: ended.signal },
    )
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (isMessage(data) && data.window === name) onMessage(data)
    })
  })
}

function isMessage(data: unknown): data is IssuerMessage {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === ISSUER_MESSAGE
}

/** Returns a random name without crypto.randomUUID, which does not exist on plain http. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the popup's features: its size, and a position centered on this window. */
function centredOnWindow(): string {
  const left = Math.round(window.screenX + (window.outerWidth - WIDTH) / 2)
  const top = Math.round(window.screenY + (window.outerHeight - HEIGHT) / 2)
  return `width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`
}
