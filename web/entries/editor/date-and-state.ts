import { useState } from 'react'
import { dayIn } from '#contract/day.ts'
import type { Entry, EntryState } from '#contract/entries.ts'
import type { EntryInput } from '#web/entries/optimistic-entries.ts'

/** The time zone of this browser. */
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the current calendar day in the time zone of this browser. */
const today = () => dayIn(zoneHere(), new Date())

/** Returns the fields that date an entry to a day in this time zone: now if that is today, else noon. */
export function happenedOn(day: string): Pick<EntryInput, 'happenedAt' | 'happenedZone'> {
  const happenedZone = zoneHere()
  if (day === today()) return { happenedAt: new Date().toISOString(), happenedZone }
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return { happenedAt: new Date(year, month - 1, date, 12).toISOString(), happenedZone }
}

/** The day and the state with which an entry will be saved. The draft of a new entry may already have a day. */
export function useDateAndState(original: Entry | undefined, draftDay: string | undefined) {
  const [first] = useState(() => original?.happenedOn ?? today())
  const [day, setDay] = useState(draftDay ?? first)
  const state: EntryState = original?.state ?? 'published'

  return {
    day,
    setDay,
    /** Resets the day to that of the saved entry, or to today. */
    reset: () => setDay(first),
    /** The current state; a new entry is published unless another button saves it. */
    state,
    /** The day, if it was changed. */
    chosenDay: day !== '' && day !== first ? day : undefined,
    /** The fields to send with the text. An update omits those that have not changed. */
    fields: (next?: EntryState): Partial<EntryInput> => ({
      ...((!original || day !== first) && day !== '' && happenedOn(day)),
      ...(next && { state: next }),
    }),
  }
}
