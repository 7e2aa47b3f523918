import { useState } from 'react'
import { dayIn } from '#contract/day.ts'
import type { Entry, EntryState } from '#contract/entries.ts'
import type { EntryInput } from '#web/entries/optimistic-entries.ts'

/** The time zone of whoever writes. */
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the calendar day that it is for whoever writes. */
const today = () => dayIn(zoneHere(), new Date())

/** Returns what says that an entry happened on a day, here: now if that is today, else at noon. */
export function happenedOn(day: string): Pick<EntryInput, 'happenedAt' | 'happenedZone'> {
  const happenedZone = zoneHere()
  if (day === today()) return { happenedAt: new Date().toISOString(), happenedZone }
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return { happenedAt: new Date(year, month - 1, date, 12).toISOString(), happenedZone }
}

/** The day and the state of an entry, as they are to be saved. A new entry may have a draft that was given a day. */
export function useCircumstances(original: Entry | undefined, draftDay: string | undefined) {
  const [first] = useState(() => original?.happenedOn ?? today())
  const [day, setDay] = useState(draftDay ?? first)
  const state: EntryState = original?.state ?? 'published'

  return {
    day,
    setDay,
    /** The state that it has now, or gets by the button that saves. */
    state,
    /** The day, if somebody has chosen it. */
    chosenDay: day !== '' && day !== first ? day : undefined,
    /** What is sent besides the text. An update leaves out what stays as it is. */
    fields: (next?: EntryState): Partial<EntryInput> => ({
      ...((!original || day !== first) && day !== '' && happenedOn(day)),
      ...(next && { state: next }),
    }),
  }
}
