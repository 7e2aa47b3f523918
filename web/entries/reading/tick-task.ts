import {
  type MutationOptions,
  type QueryClient,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import type { Entry } from '#contract/entries.ts'
import { currentOf } from '#web/api/api-error.ts'
import { toastFailure } from '#web/api/failure-toast.ts'
import type { EntryWithHtml } from '#web/entries/overlay.ts'
import { entryQuery, refreshEntryPages, storeEntry } from '#web/entries/queries.ts'
import { htmlAfter } from '#web/markdown/ticks.ts'
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
): MutationOptions<Entry, Error, Tick> {
  const one = entryQuery(milestoneId, entryId).queryKey
  return {
    mutationKey: tickingKey(entryId),
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
    onSuccess(updated) {
      inFlight.saved = updated
      storeEntry(client, updated)
    },
    onError(error) {
      const current = currentOf(error) as Entry | null
      toastFailure(error, current || inFlight.saved === null ? STALE : 'Failed to save the task')
      if (!current) return void client.invalidateQueries({ queryKey: one })
      inFlight.saved = null
      return storeEntry(client, current)
    },
    onSettled() {
      inFlight.end()
      refreshEntryPages(client)
    },
  }
}

const tickingKey = (entryId: string) => ['ticks', entryId]

/** Returns the text to save with a task of the shown text done or not done; undefined if it is not found. */
function contentWith(
  { shown, offset, isDone }: Tick,
  { content }: Pick<Saved, 'content'>,
): string | undefined {
  const there = offsetIn(content, shown, offset)
  return there === undefined ? undefined : tickedContent(content, there, isDone)
}

function withTask(old: EntryWithHtml, tick: Tick): EntryWithHtml {
  const content = contentWith(tick, old)
  return content === undefined ? old : { ...old, content, html: htmlAfter(old.html, old.content, content) }
}

/** By entry: a page may be left and opened again while its ticks are in flight. */
const ticksInFlight = new Map<string, TicksInFlight>()

function ticksInFlightOf(entryId: string): TicksInFlight {
  const inFlight = ticksInFlight.get(entryId) ?? new TicksInFlight()
  ticksInFlight.set(entryId, inFlight)
  return inFlight
}

/** Returns a shown entry with its tasks as they were ticked, and a function that ticks one and saves it. */
export function useTickTask(entry: EntryWithHtml) {
  const inFlight = ticksInFlightOf(entry._id)
  const { mutate } = useMutation(tickMutation(useQueryClient(), entry, inFlight))
  const ticks = useMutationState({
    filters: { mutationKey: tickingKey(entry._id), status: 'pending' },
    select: ({ state }) => state.variables as Tick,
  })
  const shown = ticks.reduce(withTask, entry)

  function tick(offset: number, isDone: boolean) {
    if (tickedContent(shown.content, offset, isDone) === undefined) return
    inFlight.begin(entry)
    mutate({ shown: shown.content, offset, isDone })
  }

  return { shown, tick }
}

const STALE =
  'Somebody else has changed this entry, so the task was not saved. This is the entry as it is now.'
