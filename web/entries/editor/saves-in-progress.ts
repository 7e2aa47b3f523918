import type { DraftSlot } from './draft-record.ts'

/** The saves of composers, which go on when a composer is left, by what they save. */
const saves = new Map<string, Promise<unknown>>()

const keyOf = ({ personId, entryId }: DraftSlot) => JSON.stringify([personId, entryId])

/** Returns the save of an entry, or of a new one, that is in progress. */
export const saveInProgress = (slot: DraftSlot): Promise<unknown> | undefined => saves.get(keyOf(slot))

/** Notes that an entry is being saved, until `save` settles, which it returns. */
export function noteSave<T>(slot: DraftSlot, save: Promise<T>): Promise<T> {
  const key = keyOf(slot)
  const noted = save.finally(() => {
    if (saves.get(key) === noted) saves.delete(key)
  })
  saves.set(key, noted)
  return noted
}
