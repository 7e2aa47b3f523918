import { useQueryClient } from '@tanstack/react-query'
import type { EntryPage } from '#contract/entries.ts'
import { currentOf } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { changeCached, refresh, useOptimisticMutation } from '#web/api/optimistic.ts'
import {
  type EntryWithHtml,
  entryPagesKey,
  entryQuery,
  storeEntry,
  withChanged,
} from '#web/entries/queries.ts'
import { withTick } from '#web/markdown/ticks.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

/** Returns a text with the task at an offset done, or not done; undefined if there is no task's sign. */
export function tickedContent(content: string, offset: number, isDone: boolean): string | undefined {
  if (!/^\[[ xX]\]$/.test(content.slice(offset - 1, offset + 2))) return undefined
  return `${content.slice(0, offset)}${isDone ? 'x' : ' '}${content.slice(offset + 1)}`
}

type Tick = { offset: number; isDone: boolean; content: string; version: number }

/** Returns a function that ticks a task of an entry where it is read, and saves that. */
export function useTickTask({ _id: entryId, milestone: milestoneId, content, version }: EntryWithHtml) {
  const client = useQueryClient()
  const queryKey = entryPagesKey(milestoneId)
  const one = entryQuery(milestoneId, entryId).queryKey
  const { mutate } = useOptimisticMutation({
    mutationKey: queryKey,
    scope: { id: `entry ${entryId}` },
    mutationFn: ({ content, version }: Tick) =>
      request('updateEntry', { params: { milestoneId, entryId }, body: { content } }, { ifMatch: version }),
    changes({ offset, isDone, content, version }) {
      const changed = (old: EntryWithHtml): EntryWithHtml => ({
        ...old,
        content,
        version: version + 1,
        html: old.html && withTick(old.html, offset, isDone),
      })
      return [
        changeCached(queryKey, (page: EntryPage) => withChanged(page, entryId, changed)),
        changeCached(one, changed),
      ]
    },
    onSuccess: (updated) => storeEntry(client, updated),
    onStale: (current) => storeEntry(client, current),
    onFailure(error) {
      toast.error(currentOf(error) ? STALE : 'Failed to save the task')
      void client.invalidateQueries({ queryKey: one })
    },
    onSettled: () => refresh(client, queryKey),
  })

  return (offset: number, isDone: boolean) => {
    const ticked = tickedContent(content, offset, isDone)
    if (ticked !== undefined) mutate({ offset, isDone, content: ticked, version })
  }
}

const STALE =
  'Somebody else has changed this entry, so the task was not saved. This is the entry as it is now.'
