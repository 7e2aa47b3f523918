import { useRef, useState } from 'react'
import { ENTRIES_AT_ONCE } from '#contract/bulk-changes.ts'
import type { Entry } from '#contract/entries.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

type Chosen = ReadonlyMap<string, Entry>
const NONE: Chosen = new Map()

export type Selection = ReturnType<typeof useSelection>

/** The entries that were chosen in a list, on all its pages; null while none are being chosen. `shown`: those of the current page. */
export function useSelection(shown: readonly Entry[]) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const lastId = useRef<string | null>(null)

  function set(next: Chosen) {
    if (next.size > ENTRIES_AT_ONCE) toast.info(`At most ${ENTRIES_AT_ONCE} entries are changed at once.`)
    else setChosen(next)
  }

  return {
    chosen,
    start: () => setChosen(NONE),
    end() {
      lastId.current = null
      setChosen(null)
    },
    /** Chooses an entry or not, and with `range` all between it and the last one that was pressed. */
    toggle(entry: Entry, isChosen: boolean, { range }: { range: boolean }) {
      const concerned = range ? between(shown, lastId.current, entry) : [entry]
      lastId.current = entry._id
      set(withChoice(chosen ?? NONE, concerned, isChosen))
    },
    /** Chooses all on the page, or none of them if all are chosen. */
    toggleAll(entries: readonly Entry[]) {
      const areAll = entries.every(({ _id }) => chosen?.has(_id))
      set(withChoice(chosen ?? NONE, entries, !areAll))
    },
  }
}

/** Returns the entries of a list from one to another, in either direction; the second alone, if the first is not in the list. */
export function between(entries: readonly Entry[], fromId: string | null, to: Entry): readonly Entry[] {
  const [from, end] = [fromId, to._id].map((id) => entries.findIndex(({ _id }) => _id === id))
  if (from === undefined || end === undefined || from < 0 || end < 0) return [to]
  return entries.slice(Math.min(from, end), Math.max(from, end) + 1)
}

/** Returns a choice with these entries, or without them. */
function withChoice(chosen: Chosen, entries: readonly Entry[], isChosen: boolean): Chosen {
  const next = new Map(chosen)
  for (const entry of entries)
    if (isChosen) next.set(entry._id, entry)
    else next.delete(entry._id)
  return next
}
