import type { Entry } from '#contract/entries.ts'
import { imageFields } from '#server/media/service.ts'
import type { Parts } from '#server/parts.ts'
import type { Caller } from '#server/platform/calls.ts'
import { type EntryRecord, imageOf } from './store.ts'

/** How entries of one project go out to this caller. */
export function entryPresenter(
  parts: Pick<Parts, 'links'>,
  caller: Caller | null,
  { isPublic }: { isPublic: boolean },
): (row: EntryRecord) => Entry {
  const presentImage = imageFields(parts, caller, isPublic)
  return (row) => {
    const image = imageOf(row)
    return {
      _id: row.id,
      title: row.title,
      content: row.content,
      tags: row.tags,
      ...(image && presentImage(image)),
      milestone: row.milestone_id,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      version: row.version,
    }
  }
}
