import { createFolder, slugOf } from '#server/files/archive/names.ts'
import type { PlacedEntry } from '#server/public/all-pages.ts'
import type { Outline } from './outline.ts'
import { SEARCH_PAGE } from './search/index-files.ts'

/** A page of the site: its file, and what it shows. */
export type Place = { path: string } & (
  | { kind: 'project'; milestone?: string; tag?: string; page: number }
  | { kind: 'entry'; entry: PlacedEntry }
  | { kind: 'story'; page: number }
)

/** Returns the places of a project's pages, from the one that a reader opens first. No two names differ in case alone. */
export function placesOf({ folder, milestones, tags, entries, storyPages }: Outline): Place[] {
  const names = { milestones: createFolder(), tags: createFolder(), entries: createFolder() }
  const paged = (within: 'milestones' | 'tags', title: string, pages: number, first?: string) =>
    Array.from({ length: pages }, (_, index) => ({
      page: index + 1,
      path:
        (index === 0 && first) ||
        `${within}/${names[within](`${slugOf(title)}${index > 0 ? `-page-${index + 1}` : ''}.html`)}`,
    }))
  const titles = new Map(milestones.map(({ id, title }) => [id, title]))
  const milestoneOf = (id: string) => ({ _id: id, title: titles.get(id) ?? '' })
  const besideOf = (milestone: string, beside: Outline['entries'][number] | undefined) =>
    beside
      ? {
          _id: beside.id,
          title: beside.title,
          ...(beside.milestone !== milestone && { milestone: milestoneOf(beside.milestone) }),
        }
      : null
  const [first, ...others] = milestones
  const places: Place[] = [
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
    ...entries.map(({ id, title, on, milestone }, at) => ({
      kind: 'entry' as const,
      entry: {
        id,
        milestone: milestoneOf(milestone),
        previous: besideOf(milestone, entries[at - 1]),
        next: besideOf(milestone, entries[at + 1]),
      },
      path: `entries/${names.entries(`${on}-${slugOf(title)}.html`)}`,
    })),
    ...tags.flatMap(({ tag, pages }) =>
      paged('tags', tag, pages).map((place) => ({ kind: 'project' as const, tag, ...place })),
    ),
  ]
  return places.map((place) => ({ ...place, path: folder + place.path }))
}

/** A project of the site with its places. */
type Placed = { outline: Outline; places: readonly Place[] }

/** Returns a function that finds the file of a page by its URL on the server, in any of its spellings. */
export function finderOf(placed: readonly Placed[]) {
  const projects = new Map(
    placed.map(({ outline, places }) => [
      outline.project._id,
      {
        outline,
        paths: new Map(
          places.flatMap((place) => (place.kind === 'entry' ? [] : [[keyOf(place), place.path] as const])),
        ),
      },
    ]),
  )
  const entries = new Map(
    placed.flatMap(({ places }) =>
      places.flatMap((place) => (place.kind === 'entry' ? [[place.entry.id, place.path] as const] : [])),
    ),
  )
  return (url: URL): string | undefined => {
    const entry = ENTRY.exec(url.pathname)?.[1]?.toLowerCase()
    if (entry !== undefined) return entries.get(entry)
    const [, id = '', rest = ''] = PROJECT.exec(url.pathname) ?? []
    const found = projects.get(id.toLowerCase())
    if (!found) return undefined
    const { outline, paths } = found
    const page = Number(url.searchParams.get('page') ?? 1)
    if (rest === 'story') return paths.get(keyOf({ kind: 'story', page }))
    if (rest === 'search') return outline.hasSearch ? outline.folder + SEARCH_PAGE : undefined
    // About the feeds, which the page itself names.
    if (rest === 'follow') return `${outline.folder}index.html`
    if (rest !== '') return undefined
    const milestone = url.searchParams.get('milestone') ?? undefined
    const tag = url.searchParams.get('tag') ?? undefined
    const isFirst = milestone === outline.milestones[0]?.id
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

/** A project as public pages link to it, and what follows. */
const PROJECT = /^\/world\/([\da-f-]{36})(?:\/(\w+))?$/i

/** An entry as public pages and the workspace link to it. */
const ENTRY =
  /^(?:\/projects\/[\da-f-]{36}\/milestones\/[\da-f-]{36}|\/world\/[\da-f-]{36})\/entries\/([\da-f-]{36})$/i

type Named =
  | { kind: 'project'; milestone?: string; tag?: string; page: number }
  | { kind: 'story'; page: number }

const keyOf = (place: Named): string =>
  JSON.stringify(
    place.kind === 'story'
      ? [place.kind, place.page]
      : [place.kind, place.milestone ?? null, place.tag ?? null, place.page],
  )
