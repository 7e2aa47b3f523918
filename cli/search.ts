import type { SearchHit, SearchResult } from '#contract/search.ts'

/** Returns a line for each result: its kind, its day, its title, where it is, and its address. */
export const linesOfSearch = ({ hits }: SearchResult, origin: string): string[] =>
  hits.length === 0 ? ['Nothing was found.'] : hits.map((hit) => lineOf(hit, origin))

function lineOf(hit: SearchHit, origin: string): string {
  const { kind, title, project, milestone, happenedOn, isDraft } = hit
  const place = kind === 'project' ? [] : [project.title, ...(milestone ? [milestone.title] : [])]
  return [
    isDraft ? 'draft' : kind,
    happenedOn ?? undefined,
    title.text,
    place.length > 0 ? `(${place.join(' › ')})` : undefined,
    origin + pathOf(hit),
  ]
    .filter((part) => part !== undefined)
    .join('  ')
}

function pathOf({ kind, _id, project, milestone }: SearchHit): string {
  const home = `/projects/${project._id}`
  if (kind === 'project') return home
  return kind === 'milestone'
    ? `${home}?selected=${_id}`
    : `${home}/milestones/${milestone?._id}/entries/${_id}`
}

/** Returns what a person should know about results: filters that had no effect, results that may be missing, and further ones. */
export function remarksOf({ unknown, isIndexing, hasNext, page }: SearchResult): string[] {
  return [
    ...unknown.map((filter) => `${filter} names nothing that you may see.`),
    ...(isIndexing ? ['Older things are still being indexed: try again later.'] : []),
    ...(hasNext ? [`There is more: add --page ${page + 1}`] : []),
  ]
}
