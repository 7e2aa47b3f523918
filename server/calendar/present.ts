import type { DatedEntry } from '#contract/calendar.ts'
import type { AppDeps } from '#server/deps.ts'
import { presentAuthor } from '#server/files/people.ts'
import { coverFields, urlsFor } from '#server/files/present.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import type { DatedRow } from './store.ts'

/** Returns the presenter of published entries of these projects with their places. */
export function datedPresenter(
  deps: Pick<AppDeps, 'links'>,
  caller: Caller,
  projects: readonly { id: string; isPublic: boolean }[],
): (row: DatedRow) => DatedEntry {
  const isPublic = new Map(projects.map((one) => [one.id, one.isPublic]))
  return (row) => {
    const cover =
      row.cover && coverFields(row.cover, urlsFor(deps, isPublic.get(row.project_id) ? null : caller))
    return {
      _id: row.id,
      title: row.title,
      excerpt: row.excerpt,
      happenedOn: row.happened_on,
      happenedZone: row.happened_zone,
      ...(cover && { image: cover.image }),
      author: presentAuthor(row.author_name, row.author_picture),
      milestone: { _id: row.milestone_id, title: row.milestone_title },
      project: { _id: row.project_id, title: row.project_title },
    }
  }
}
