import { createFolder, slugOf } from '#server/files/archive/names.ts'
import { SEARCH_PAGE } from './search/index-files.ts'

/** The parts of a public project that have files of their own. */
export type Outline = {
  projectId: string
  milestones: { id: string; title: string; pages: number }[]
  /** Tags with the number of their pages. */
  tags: { tag: string; pages: number }[]
  entries: { id: string; title: string; on: string }[]
  storyPages: number
  /** Whether it has a page that searches it. */
  hasSearch: boolean
}

/** A page of the site: its file, and what it shows. */
export type Place = { path: string } & (
  | { kind: 'project'; milestone?: string; tag?: string; page: number }
  | { kind: 'entry'; entry: string }
  | { kind: 'story'; page: number }
)

/** Returns the places of a project's pages, from the one that a reader opens first. No two names differ in case alone. */
export function placesOf({ milestones, tags, entries, storyPages }: Omit<Outline, 'hasSearch'>): Place[] {
  const names = { milestones: createFolder(), tags: createFolder(), entries: createFolder() }
  const paged = (folder: 'milestones' | 'tags', title: string, pages: number, first?: string) =>
    Array.from({ length: pages }, (_, index) => ({
      page: index + 1,
      path:
        (index === 0 && first) ||
        `${folder}/${names[folder](`${slugOf(title)}${index > 0 ? `-page-${index + 1}` : ''}.html`)}`,
    }))
  const [first, ...others] = milestones
  return [
    ...(first
      ? paged('milestones', first.title, first.pages, 'index.html')
      : [{ path: 'index.html', page: 1 }]
    ).map((place) => ({ kind: 'project' as const, ...place })),
    ...others.flatMap(({ id, title, pages }) =>
      paged('milestones', title, pages).map((place) => ({
        kind: 'project' as const,
        milestone: id,
        ...place,
      })),
    ),
    ...Array.from({ length: storyPages }, (_, index) => ({
      kind: 'story' as const,
      page: index + 1,
      path: index === 0 ? 'story.html' : `story-${index + 1}.html`,
    })),
    ...entries.map(({ id, title, on }) => ({
      kind: 'entry' as const,
      entry: id,
      path: `entries/${names.entries(`${on}-${slugOf(title)}.html`)}`,
    })),
    ...tags.flatMap(({ tag, pages }) =>
      paged('tags', tag, pages).map((place) => ({ kind: 'project' as const, tag, ...place })),
    ),
  ]
}

/** Returns a function that finds the file of a page by its URL on the server, in any of its spellings. */
export function finderOf({ projectId, milestones, hasSearch }: Outline, places: readonly Place[]) {
  const [first] = milestones
  const paths = new Map(places.map((place) => [keyOf(place), place.path]))
  return (url: URL): string | undefined => {
    const entry = ENTRY.exec(url.pathname)?.[1]?.toLowerCase()
    if (entry !== undefined) return paths.get(keyOf({ kind: 'entry', entry }))
    const page = Number(url.searchParams.get('page') ?? 1)
    if (url.pathname === `/world/${projectId}/story`) return paths.get(keyOf({ kind: 'story', page }))
    if (hasSearch && url.pathname === `/world/${projectId}/search`) return SEARCH_PAGE
    // About the feeds, which the page itself names.
    if (url.pathname === `/world/${projectId}/follow`) return 'index.html'
    if (url.pathname !== `/world/${projectId}`) return undefined
    const milestone = url.searchParams.get('milestone') ?? undefined
    const tag = url.searchParams.get('tag') ?? undefined
    const isFirst = milestone === first?.id
    return paths.get(
      keyOf({
        kind: 'project',
        page,
        ...(tag !== undefined && { tag }),
        ...(milestone && !isFirst && { milestone }),
      }),
    )
  }
}

/** An entry as public pages and the workspace link to it. */
const ENTRY =
  /^(?:\/projects\/[\da-f-]{36}\/milestones\/[\da-f-]{36}|\/world\/[\da-f-]{36})\/entries\/([\da-f-]{36})$/i

type Named =
  | { kind: 'project'; milestone?: string; tag?: string; page: number }
  | { kind: 'entry'; entry: string }
  | { kind: 'story'; page: number }

const keyOf = (place: Named): string =>
  JSON.stringify(
    place.kind === 'entry'
      ? [place.kind, place.entry]
      : place.kind === 'story'
        ? [place.kind, place.page]
        : [place.kind, place.milestone ?? null, place.tag ?? null, place.page],
  )
