import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Entry, EntryListPage } from '#contract/entries.ts'
import { currentOf } from '#web/api/api-error.ts'
import { toastFailure } from '#web/api/failure-toast.ts'
import { type CacheChange, optimisticMutation } from '#web/api/optimistic.ts'
import { entryPagesKey } from '#web/entries/keys.ts'
import {
  type EntryWithHtml,
  entryQuery,
  refreshEntryPages,
  storeEntry,
  withChanged,
} from '#web/entries/queries.ts'
import { withTick } from '#web/markdown/ticks.ts'
import { change } from '#web/saving/change.ts'

/** Returns a text with the task at an offset done or not done; undefined if there is no checkbox. */
export function tickedContent(content: string, offset: number, isDone: boolean): string | undefined {
  if (!/^\[[ xX]\]$/.test(content.slice(offset - 1, offset + 2))) return undefined
  return `${content.slice(0, offset)}${isDone ? 'x' : ' '}${content.slice(offset + 1)}`
}

const withoutMarks = (text: string) => text.replaceAll(/\[[xX]\]/g, '[ ]')

const lineAt = (text: string, offset: number) =>
  text.slice(text.lastIndexOf('\n', offset) + 1, (text.indexOf('\n', offset) + 1 || text.length + 1) - 1)

/**
 * Returns the offset of a task in another text: the same if the texts differ only in ticks, otherwise that on
 * the same line, if both texts have it once. Undefined if it is ambiguous.
 */
export function offsetIn(other: string, text: string, offset: number): number | undefined {
  if (withoutMarks(other) === withoutMarks(text)) return offset
  const line = lineAt(text, offset)
  const starts = [text, other].map((whole) => onlyStart(`\n${whole}\n`, `\n${line}\n`))
  const [start, otherStart] = starts
  return start === undefined || otherStart === undefined ? undefined : offset - start + otherStart
}

function onlyStart(text: string, part: string): number | undefined {
  const start = text.indexOf(part)
  return start === -1 || text.includes(part, start + 1) ? undefined : start
}

/** A task of the shown text. */
type Tick = { shown: string; offset: number; isDone: boolean }
type Saved = { content: string; version: number }

/** The ticks of an entry, which are saved one after the other, and the current entry on the server. */
export class TicksInFlight {
  #count = 0
  /** Null without ticks, and after the entry was changed elsewhere so that a task was not found in it. */
  saved: Saved | null = null

  get isLast(): boolean {
    return this.#count === 1
  }

  begin(shown: Saved): void {
    if (this.#count === 0) this.saved = shown
    this.#count += 1
  }

  end(): void {
    this.#count -= 1
    if (this.#count === 0) this.saved = null
  }
}

/**
 * The mutation that ticks a task. Each tick is based on the text that the previous one has left on the server: if that
 * failed, only its own task is reverted. If the entry was changed elsewhere, the task is searched in its current text;
 * if it is ambiguous, ticks of the earlier text are refused.
 */
export function tickMutation(
  client: QueryClient,
  { _id: entryId, milestone: milestoneId }: Pick<EntryWithHtml, '_id' | 'milestone'>,
  inFlight: TicksInFlight,
) {
  const queryKey = entryPagesKey(milestoneId)
  const one = entryQuery(milestoneId, entryId).queryKey
  return optimisticMutation<Tick, Entry>(client, {
    mutationKey: queryKey,
    scope: { id: `entry ${entryId}` },
    async mutationFn(tick) {
      const { saved } = inFlight
      const tickIn = (text: Saved) => {
        const content = contentWith(tick, text)
        const input = { params: { milestoneId, entryId }, body: { content } }
        return content === undefined ? null : change('updateEntry', input, { ifMatch: text.version })
      }
      const response = saved && tickIn(saved)
      if (!response) throw new Error(STALE)
      return await response.catch(async (error: unknown) => {
        const current = currentOf(error) as Entry | null
        const again = current && tickIn(current)
        if (again) return again
        throw error
      })
    },
    changes: ({ offset, isDone }) => {
      const ticked = (done: boolean) => (old: EntryWithHtml) => withTask(old, offset, done)
      return [
        reversible(one, ticked(isDone), ticked(!isDone)),
        reversible(
          queryKey,
          (page: EntryListPage) => withChanged(page, entryId, ticked(isDone)),
          (page: EntryListPage) => withChanged(page, entryId, ticked(!isDone)),
        ),
      ]
    },
    onSuccess(updated) {
      inFlight.saved = updated
      if (inFlight.isLast) storeEntry(client, updated)
    },
    onStale(current) {
      inFlight.saved = null
      storeEntry(client, current)
    },
    onFailure(error) {
      toastFailure(error, currentOf(error) || inFlight.saved === null ? STALE : 'Failed to save the task')
      if (inFlight.isLast) void client.invalidateQueries({ queryKey: one })
    },
    onSettled() {
      inFlight.end()
      refreshEntryPages(client)
    },
  })
}

/** Returns the text to save with a task of the shown text done or not done; undefined if it is not found. */
function contentWith({ shown, offset, isDone }: Tick, { content }: Saved): string | undefined {
  const there = offsetIn(content, shown, offset)
  return there === undefined ? undefined : tickedContent(content, there, isDone)
}

/** Updates the cache; reverting removes only this change, not later ones. */
function reversible<T>(queryKey: QueryKey, change: (data: T) => T, back: (data: T) => T): CacheChange {
  return async (client) => {
    const setAll = (by: (data: T) => T) =>
      client.setQueriesData<T>({ queryKey }, (data) => (data === undefined ? undefined : by(data)))
    await client.cancelQueries({ queryKey })
    setAll(change)
    return { rollback: () => setAll(back), settle() {} }
  }
}

function withTask(old: EntryWithHtml, offset: number, isDone: boolean): EntryWithHtml {
  const content = tickedContent(old.content, offset, isDone)
  if (content === undefined) return old
  return { ...old, content, html: old.html && withTick(old.html, offset, isDone) }
}

/** By entry: a page may be left and opened again while its ticks are in flight. */
const ticksInFlight = new Map<string, TicksInFlight>()

function ticksInFlightOf(entryId: string): TicksInFlight {
  const inFlight = ticksInFlight.get(entryId) ?? new TicksInFlight()
  ticksInFlight.set(entryId, inFlight)
  return inFlight
}

/** Returns a function that ticks a task of a shown entry and saves it. */
export function useTickTask(entry: EntryWithHtml) {
  const inFlight = ticksInFlightOf(entry._id)
  const { mutate } = useMutation(tickMutation(useQueryClient(), entry, inFlight))

  return (offset: number, isDone: boolean) => {
    if (tickedContent(entry.content, offset, isDone) === undefined) return
    inFlight.begin(entry)
    mutate({ shown: entry.content, offset, isDone })
  }
}

const STALE =
  'Somebody else has changed this entry, so the task was not saved. This is the entry as it is now.'
