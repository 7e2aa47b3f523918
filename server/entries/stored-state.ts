import type { EntryChange, EntryState } from '#contract/entries.ts'
import { invalid } from '#server/platform/api/errors.ts'
import type { Schedule } from './schedule-store.ts'

/** What a save stores of the chosen state. Undefined: unchanged. */
export type StoredState = {
  state: EntryState | undefined
  schedule: Schedule | null | undefined
}

/**
 * Returns the state to store: a scheduled entry is an unpublished one with a time, so that everything that hides these hides it too. One
 * whose time has passed is published. Throws `invalid` for a time without that state, and for that state without a time.
 */
export function storedStateOf(
  { state, publishAt, publishZone }: Pick<EntryChange, 'state' | 'publishAt' | 'publishZone'>,
  now: Date,
): StoredState {
  if (state === undefined && publishAt === undefined) return { state: undefined, schedule: undefined }
  if ((state === 'scheduled') !== (publishAt !== undefined))
    throw invalid([
      { path: 'publishAt', message: 'The state scheduled needs publishAt, and no other has it' },
    ])
  if (state !== 'scheduled' || publishAt === undefined)
    return { state: state === 'scheduled' ? undefined : state, schedule: null }
  const at = new Date(publishAt)
  if (at <= now) return { state: 'published', schedule: null }
  return { state: 'draft', schedule: { at, zone: publishZone ?? 'UTC' } }
}
