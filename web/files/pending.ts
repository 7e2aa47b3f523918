import { readStored, store } from '#web/api/browser-storage.ts'

/** Set while this browser may hold unsent files, so that a page can find out without loading the code of the uploads. */
const FLAG = 'uploadsPending'
const EVENT = 'milepost:uploads'

/** Whether this browser may hold unsent files. */
export const mayHoldUploads = (): boolean => readStored(FLAG) !== null

/** A browser that forbids localStorage forbids IndexedDB as well, so nothing is stored. */
export const markPending = (isPending: boolean): void => void store(FLAG, isPending ? '1' : null)

/** Notifies the page that uploads of this person have begun. */
export function announceUploads(): void {
  dispatchEvent(new Event(EVENT))
}

export function whenUploadsBegin(listener: () => void, signal: AbortSignal): void {
  addEventListener(EVENT, listener, { signal })
}
