import { use, useRef, useState } from 'react'
import type { Entry, ShownEntryState } from '#contract/entries.ts'
import { dayIn, noonIn } from '#contract/parts/date-formats.ts'
import type { EntryInput } from '#web/entries/overlay.ts'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext } from '#web/ui/layout/time.tsx'

/** Returns the current calendar day in a time zone. */
const todayIn = (zone: string) => dayIn(zone, new Date())

/** Returns the fields that date an entry to a day in a time zone: now if that is today, else noon. */
export function happenedOn(
  day: string,
  happenedZone: string,
): Pick<EntryInput, 'happenedAt' | 'happenedZone'> {
  const at = day === todayIn(happenedZone) ? new Date() : noonIn(happenedZone, day)
  return { happenedAt: at.toISOString(), happenedZone }
}

/** A state to save an entry with; a scheduled one has a time. */
export type StateChoice = Pick<EntryInput, 'publishAt' | 'publishZone'> & { state: ShownEntryState }

/** The day and the state of the entry in the form. The draft of a new entry may already have a day. */
export function useDateAndState(original: Entry | undefined, draftDay: string | undefined) {
  const zone = zoneOf(use(DateContext))
  const [first, setFirst] = useState(() => original?.happenedOn ?? todayIn(zone))
  const [day, setDay] = useState(draftDay ?? first)
  const state: ShownEntryState = original?.state ?? 'published'
  const next = useRef<StateChoice>(undefined)
  const [savingAs, setSavingAs] = useState<ShownEntryState>()
  const dayField = useRef<HTMLInputElement>(null)

  return {
    day,
    setDay,
    /** Shows the day. */
    dayField,
    /** Whether a part of the day is missing, or no calendar has it. */
    isDayIncomplete: day === '',
    /** Resets the day to that of the saved entry, or to today. */
    reset: () => setDay(first),
    /** Continues from the day of a later saved version, with the chosen day if `keepsChosen`. */
    rebase: (saved: string, keepsChosen: boolean) => {
      setFirst(saved)
      if (!keepsChosen || day === first) setDay(saved)
    },
    /** The current state; a new entry is published unless another button saves it. */
    state,
    publishAt: original?.publishAt,
    /** The state of which the button was pressed, while the entry is saved with it. */
    savingAs,
    /** Chooses a state for one save; without one, that leaves it as it is. */
    saveAs(choice?: StateChoice) {
      next.current = choice
      setSavingAs(choice?.state)
    },
    /** The day, if it was changed. */
    chosenDay: day !== '' && day !== first ? day : undefined,
    /** The fields to send with the text. An update omits those that have not changed. */
    fields: (): Partial<EntryInput> => ({
      ...((!original || day !== first) && happenedOn(day, zone)),
      ...next.current,
    }),
  }
}

export type DateAndState = ReturnType<typeof useDateAndState>
