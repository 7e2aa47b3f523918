import { GOOGLE_MESSAGE, GOOGLE_START, type GoogleMessage, type GoogleOutcome } from '#contract/google.ts'

const WIDTH = 500
const HEIGHT = 640
const POLL_MS = 250
/** A window that told how it ended and closed: the word may arrive after the closing is seen. */
const GRACE_MS = 1_500

/** How it ended as the page sees it: a blocked window never opened. */
export type WindowOutcome = GoogleOutcome | 'blocked'

/** Lets somebody sign in with Google in a window. To be called in the very click, or browsers block the window. */
export function openGoogle(): Promise<WindowOutcome> {
  const name = randomName()
  const address = `${GOOGLE_START}?${new URLSearchParams({ window: name })}`
  const opened = window.open(address, '_blank', `popup,${placed()}`)
  return opened ? outcomeOf(opened, name) : Promise.resolve('blocked')
}

function outcomeOf(opened: Window, name: string): Promise<WindowOutcome> {
  return new Promise((resolve) => {
    const over = new AbortController()
    let closedFor = 0
    const watch = setInterval(() => {
      closedFor = opened.closed ? closedFor + POLL_MS : 0
      if (closedFor > GRACE_MS) end('cancelled')
    }, POLL_MS)

    function end(outcome: WindowOutcome) {
      clearInterval(watch)
      over.abort()
      resolve(outcome)
    }

    const hear = ({ origin, source, data }: MessageEvent<unknown>) => {
      const isOurs = origin === location.origin && source === opened
      if (isOurs && isMessage(data) && data.window === name) end(data.outcome)
    }
    addEventListener('message', hear, { signal: over.signal })
  })
}

function isMessage(data: unknown): data is GoogleMessage {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === GOOGLE_MESSAGE
}

/** Not randomUUID, which browsers withhold where the server is reached by plain http. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** In the middle of this window. */
function placed(): string {
  const left = Math.round(window.screenX + (window.outerWidth - WIDTH) / 2)
  const top = Math.round(window.screenY + (window.outerHeight - HEIGHT) / 2)
  return `width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`
}
