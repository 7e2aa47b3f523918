/** Set while this browser may hold unsent files, so that a page can find out without loading the code of the uploads. */
const FLAG = 'uploadsPending'
const EVENT = 'milepost:uploads'

/** Whether this browser may hold unsent files. */
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
    // A browser that forbids localStorage forbids IndexedDB as well, so nothing is stored.
  }
}

/** Notifies the page that uploads of this person have begun. */
export function announceUploads(): void {
  dispatchEvent(new Event(EVENT))
}

export function whenUploadsBegin(listener: () => void, signal: AbortSignal): void {
  addEventListener(EVENT, listener, { signal })
}
