import { type DraftKey, storageKey } from './drafts.ts'

/** The running saves of forms, which continue after their form is closed: its draft must not be restored meanwhile. */
const saves = new Map<string, Promise<unknown>>()

export const saveInProgress = (key: DraftKey): Promise<unknown> | undefined => saves.get(storageKey(key))

/** Tracks a save until it settles, and returns it. */
export function trackSave<T>(key: DraftKey, save: Promise<T>): Promise<T> {
  const name = storageKey(key)
  const noted = save.finally(() => {
    if (saves.get(name) === noted) saves.delete(name)
  })
  saves.set(name, noted)
  return noted
}
