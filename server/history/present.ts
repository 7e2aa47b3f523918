import type { Revision, RevisionText } from '#contract/history.ts'
import { presentAuthor } from '#server/entries/present.ts'
import type { ListedRevision, RevisionRecord } from './store.ts'

/** A revision of an entry that has the version `version` now. Of authors the names go out, never ids. */
export function presentRevision(row: ListedRevision, { version }: { version: number }): Revision {
  return {
    _id: row.id,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    authors: row.authors.flatMap((name) => presentAuthor(name) ?? []),
    name: row.name,
    cause: row.cause,
    state: row.state,
    title: row.title,
    wordCount: row.word_count,
    isCurrent: row.version === version,
  }
}

export function presentText(row: RevisionRecord, now: { version: number }, html: string): RevisionText {
  return {
    ...presentRevision(row, now),
    content: row.content,
    tags: row.tags,
    happenedAt: row.happened_at.toISOString(),
    happenedOn: row.happened_on,
    happenedZone: row.happened_zone,
    html,
  }
}
