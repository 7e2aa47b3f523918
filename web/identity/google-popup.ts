import { GOOGLE_MESSAGE, GOOGLE_START, type GoogleMessage } from '#contract/sign-in.ts'
import type { PopupOutcome } from './provider.ts'

const WIDTH = 500
const HEIGHT = 640
const POLL_MS = 250
/** The popup's message may arrive after the popup was closed. */
const GRACE_MS = 1_500

/** Signs in with Google in a popup. Must be called within the click event, or browsers block the popup. */
export function openGooglePopup(): Promise<PopupOutcome> {
  const name = randomName()
  const url = `${GOOGLE_START}?${new URLSearchParams({ window: name })}`
  const popup = window.open(url, '_blank', `popup,${centredOnWindow()}`)
  return popup ? outcomeOf(popup, name) : Promise.resolve('blocked')
}

function outcomeOf(popup: Window, name: string): Promise<PopupOutcome> {
  return new Promise((resolve) => {
    const ended = new AbortController()
    let closedFor = 0
    const watch = setInterval(() => {
      closedFor = popup.closed ? closedFor + POLL_MS : 0
      if (closedFor > GRACE_MS) end('cancelled')
    }, POLL_MS)

    function end(outcome: PopupOutcome) {
      clearInterval(watch)
      ended.abort()
      resolve(outcome)
    }

    const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
      const isOurs = origin === location.origin && source === popup
      if (!isOurs || !isMessage(data)) return
      // A server without a pending sign-in, which expires after ten minutes, does not know the name.
      const isUnknown = data.window === '' && data.outcome === 'failed'
      if (data.window === name || isUnknown) end(data.outcome)
    }
    addEventListener('message', onMessage, { signal: ended.signal })
  })
}

function isMessage(data: unknown): data is GoogleMessage {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === GOOGLE_MESSAGE
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
