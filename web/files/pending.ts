/** Set while this browser may hold files that were not sent, so that a page knows without the code of the uploads. */
const FLAG = 'uploadsPending'
const EVENT = 'milepost:uploads'

/** Whether this browser may hold files that have not been sent. */
export function mayHoldUploads(): boolean {
  try {
    return localStorage.getItem(FLAG) !== null
  } catch {
    return false
  }
}

export function markPending(isPending: boolean): void {
  try {
    if (isPending) localStorage.setItem(FLAG, '1')
    else localStorage.removeItem(FLAG)
  } catch {
    // A browser that forbids it forbids IndexedDB as well, and nothing is kept.
  }
}

/** Tells the page that the uploads of this person have begun. */
export function announceUploads(): void {
  dispatchEvent(new Event(EVENT))
}

export function whenUploadsBegin(listener: () => void, signal: AbortSignal): void {
  addEventListener(EVENT, listener, { signal })
}
