import type { CachedParams } from '#contract/rendering.ts'
import { worldQuery } from '#contract/world.ts'

const { milestone, page } = worldQuery.shape

/** The milestone that a public project's URL asks for; undefined where it names none. */
const milestoneIn = (value: string) => milestone.safeParse(value).data?.toLowerCase()

/** The page of entries that the URL asks for: the first where it names none. */
const pageIn = (value: string) => page.safeParse(value).data ?? 1

/** What the page of a public project reads of the query, in its canonical form: the first page is not named. */
export const worldSearchParams = {
  milestone: milestoneIn,
  page: (value) => (pageIn(value) > 1 ? String(pageIn(value)) : undefined),
} satisfies CachedParams

/** Which part of a public project a URL asks for. Values that mean nothing are ignored. */
export function readWorldSearch(search: URLSearchParams) {
  return { milestone: milestoneIn(search.get('milestone') ?? ''), page: pageIn(search.get('page') ?? '') }
}
