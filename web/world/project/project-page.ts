import type { CachedParams } from '#contract/rendering.ts'
import { type WorldPage, worldQuery } from '#contract/world.ts'

/** As much of a description as search engines and messengers show. */
const SUMMARY_LENGTH = 280

export type ProjectPage = ReturnType<typeof projectPage>
export type ShownMilestone = NonNullable<ProjectPage['shown']>
export type TrailMilestone = ProjectPage['milestones'][number]
export type EntryLine = ShownMilestone['entries'][number]

/** What the page of a public project shows, and no more. */
export function projectPage({ project, milestones, shown }: WorldPage) {
  const { _id, title, description, createdAt, progress, user } = project
  return {
    project: { _id, title, description, createdAt, progress, ownerName: user.name },
    summary: summaryOf(description),
    milestones,
    shown: shown && { ...shownMilestone(shown), isFirst: shown._id === milestones[0]?._id },
  }
}

function shownMilestone({ _id, title, description, entries, pagination }: NonNullable<WorldPage['shown']>) {
  return {
    _id,
    title,
    description,
    page: pagination.currentPage,
    pageCount: Math.max(1, pagination.totalPages),
    entries,
  }
}

/** A description on one line, cut after a whole word where it is long. */
function summaryOf(description: string): string {
  const text = description.trim().replace(/\s+/g, ' ')
  const characters = [...text]
  if (characters.length <= SUMMARY_LENGTH) return text
  const cut = characters.slice(0, SUMMARY_LENGTH).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > 0 ? cut.slice(0, lastSpace) : cut}…`
}

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
