import type { CachedParams } from '#contract/rendering.ts'
import { type WorldPage, worldQuery } from '#contract/world.ts'

/** Search engines and messengers show no more of a description. */
const SUMMARY_LENGTH = 280

export type ProjectPage = ReturnType<typeof projectPage>
export type ShownMilestone = NonNullable<ProjectPage['shown']>
export type TrailMilestone = ProjectPage['milestones'][number]
export type EntryLine = ShownMilestone['entries'][number]

/** Returns the data of a public project's page. */
export function projectPage({ project, milestones, shown }: WorldPage) {
  const { _id, title, description, createdAt, progress, user, visibility } = project
  const isListed = visibility === 'public'
  return {
    project: { _id, title, description, createdAt, progress, ownerName: user.name, isListed },
    summary: summaryOf(description),
    milestones,
    shown: shown && { ...shownMilestone(shown, user.name), isFirst: shown._id === milestones[0]?._id },
  }
}

function shownMilestone(
  { _id, title, description, entries, pagination }: NonNullable<WorldPage['shown']>,
  ownerName: string,
) {
  return {
    _id,
    title,
    description,
    page: pagination.currentPage,
    pageCount: Math.max(1, pagination.totalPages),
    entries,
    /** The owner's name is at the head of the page: authors are told apart where there are others. */
    showsAuthors: entries.some(({ author }) => author !== null && author.name !== ownerName),
  }
}

/** Returns a description on one line, truncated after a whole word. */
function summaryOf(description: string): string {
  const text = description.trim().replace(/\s+/g, ' ')
  const characters = [...text]
  if (characters.length <= SUMMARY_LENGTH) return text
  const cut = characters.slice(0, SUMMARY_LENGTH).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > 0 ? cut.slice(0, lastSpace) : cut}…`
}

const { milestone, page } = worldQuery.shape

/** Returns the milestone id in a search param; undefined if it is invalid. */
const milestoneIn = (value: string) => milestone.safeParse(value).data?.toLowerCase()

/** Returns the page number in a search param; 1 if it is invalid. */
const pageIn = (value: string) => page.safeParse(value).data ?? 1

/** The search params of a public project's page in canonical form, which omits the first page. */
export const worldSearchParams = {
  milestone: milestoneIn,
  page: (value) => (pageIn(value) > 1 ? String(pageIn(value)) : undefined),
} satisfies CachedParams

/** Returns the milestone and page that a URL asks for. Invalid values are ignored. */
export function readWorldSearch(search: URLSearchParams) {
  return { milestone: milestoneIn(search.get('milestone') ?? ''), page: pageIn(search.get('page') ?? '') }
}
