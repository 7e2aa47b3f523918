import type { Entry, RenderedEntry } from '#contract/entries.ts'
import { excerptOfSource } from '#markdown/source-excerpt.ts'
import type { AppDeps } from '#server/deps.ts'
import { presentAuthor } from '#server/files/people.ts'
import { coverFields, presentCoverChoice, urlsFor } from '#server/files/present.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import type { RenderedContent } from './rendering.ts'
import type { EntryRecord } from './store.ts'

/** Returns the presenter of entries of one project for this caller. */
export function entryPresenter(
  deps: Pick<AppDeps, 'links'>,
  caller: Caller | null,
  { isPublic }: { isPublic: boolean },
): (row: EntryRecord) => Entry {
  return (row) => {
    return {
      _id: row.id,
      title: row.title,
      content: row.content,
      tags: row.tags,
      ...(row.cover && coverFields(row.cover, urlsFor(deps, readerOf(row, caller, isPublic)))),
      ...presentCoverChoice(row),
      excerpt: row.rendering?.excerpt ?? excerptOfSource(row.content),
      wordCount: row.rendering?.word_count ?? 0,
      renderedAs: row.rendering?.rendered_as ?? 'markdown',
      milestone: row.milestone_id,
      happenedAt: row.happened_at.toISOString(),
      happenedOn: row.happened_on,
      happenedZone: row.happened_zone,
      author: presentAuthor(row.author_name, row.author_picture),
      ...(caller !== null && row.author_id === caller.userId && { isMine: true as const }),
      ...presentState(row),
      publishedAt: row.published_at?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      version: row.version,
    }
  }
}

/** An unpublished entry with a time is scheduled. */
const presentState = ({ state, schedule }: Pick<EntryRecord, 'state' | 'schedule'>) =>
  state === 'draft' && schedule
    ? {
        state: 'scheduled' as const,
        publishAt: new Date(schedule.at).toISOString(),
        publishZone: schedule.zone,
      }
    : { state }

/** The person for whom the URLs of an entry's pictures are signed; null for public URLs of published entries in public projects. */
export const readerOf = ({ state }: Pick<EntryRecord, 'state'>, caller: Caller | null, isPublic: boolean) =>
  isPublic && state === 'published' ? null : caller

/** An entry with its rendered content. */
export function withRenderedContent(entry: Entry, { html, headings }: RenderedContent): RenderedEntry {
  return { ...entry, html, headings: headings.map(({ id, level, text }) => ({ id, level, text })) }
}
