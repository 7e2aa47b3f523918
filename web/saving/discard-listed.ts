import { readStoredAs, store } from '#web/api/browser-storage.ts'
import { change } from './change.ts'

/** Discards the drafts that the previous version was to discard once it had a connection, and removes its list of them. */
export function discardListed(personId: string): void {
  const key = `draftsDiscarded/${personId}`
  const ids = readStoredAs(key, { parse: (value) => [...(value as string[])] }) ?? []
  store(key, null)
  for (const draftId of ids) change('discardDraft', { params: { draftId } }).catch(() => undefined) // it may be gone
}
