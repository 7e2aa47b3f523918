import { characters, isStorable, withLineFeeds } from '#contract/parts/characters.ts'
import { HIT_PAGES_MAX, ID_PATTERN, PAGE_PATTERN, SEARCH_MAX, TAG_MAX } from '#contract/parts/list-options.ts'
import { withoutPunctuation } from '#contract/parts/paths.ts'
import type { CachedParams } from '#contract/rendering.ts'
import type { WorldPage } from '#contract/world.ts'
import { shorten } from '#markdown/words.ts'

/** The length of a description that search engines and messengers show. */
const SUMMARY_LENGTH = 280

export type Order = 'newest' | 'oldest'
export type ProjectPage = ReturnType<typeof projectPage>
export type ShownMilestone = NonNullable<ProjectPage['shown']>
export type TimelineMilestone = ProjectPage['milestones'][number]
export type FollowingMilestone = NonNullable<ProjectPage['following']>
export type TaggedEntries = NonNullable<ProjectPage['tagged']>
export type EntryLine = ShownMilestone['entries'][number]

/** Returns the data of a public project's page, on which the entries of a milestone are in this order. */
export function projectPage(found: WorldPage, order: Order) {
  const { project, milestones, timeline, shown, tagged, latest, first, entryCount, days, following } = found
  const { _id, title, description, createdAt, progress, user, visibility, imageURL, image, tint } = project
  const { finished, emailsFollowers, offersDownloads } = project
  const isListed = visibility === 'public'
  return {
    project: {
      _id,
      title,
      description,
      createdAt,
      progress,
      ownerName: user.name,
      ownerProfile: user.profile,
      isListed,
      isShared: visibility === 'private',
      imageURL,
      image,
      tint,
      finished,
      emailsFollowers,
      offersDownloads,
    },
    latest,
    first,
    entryCount,
    days,
    following,
    summary: shorten(description, SUMMARY_LENGTH),
    milestones,
    timeline,
    tagged: tagged && {
      tag: tagged.tag,
      ...pageOf(tagged),
      showsAuthors: hasOtherAuthors(tagged.entries, user.name),
    },
    shown: shown && {
      ...shownMilestone(shown, user.name),
      order,
      isFirst: shown._id === timeline.stops[0]?.milestone,
    },
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
    ...pageOf({ entries, pagination }),
    showsAuthors: hasOtherAuthors(entries, ownerName),
  }
}

type EntriesOfPage = Pick<NonNullable<WorldPage['tagged']>, 'entries' | 'pagination'>

const pageOf = ({ entries, pagination }: EntriesOfPage) => ({
  page: pagination.currentPage,
  pageCount: Math.max(1, pagination.totalPages),
  entries,
})

/** Whether authors are shown: only if there are any besides the owner, whom the header names. */
const hasOtherAuthors = (entries: EntriesOfPage['entries'], ownerName: string) =>
  entries.some(({ author }) => author !== null && author.name !== ownerName)

// Regular expressions, because zod would be a sixth of the weight of a visitor's page.

/** Returns what a search param was before its URL was copied with the end of a sentence. */
const meantBy = (value: string) => withoutPunctuation(value.trim())

/** Returns the id in a search param; undefined if it is invalid. */
function idIn(value: string): string | undefined {
  const id = meantBy(value)
  return ID_PATTERN.test(id) ? id.toLowerCase() : undefined
}

/** Returns the tag in a search param; undefined if there is none, or no entry could have it. */
function tagIn(value: string): string | undefined {
  const tag = withLineFeeds(value).trim()
  return tag !== '' && isStorable(tag) && characters(tag) <= TAG_MAX ? tag : undefined
}

/** Returns the page number in a search param; 1 if it is invalid. */
function pageIn(value: string): number {
  const page = meantBy(value)
  return PAGE_PATTERN.test(page) ? Math.max(1, Number(page)) : 1
}

/** The search params of a public project's page with their canonical forms, which omit the first page and the order of the story. */
export const publicSearchParams = {
  milestone: idIn,
  tag: tagIn,
  order: (value) => (value === 'newest' ? value : undefined),
  page: (value) => (pageIn(value) > 1 ? String(pageIn(value)) : undefined),
} satisfies CachedParams

/** The search params of a public project's story. */
export const storySearchParams = { entry: idIn, page: publicSearchParams.page } satisfies CachedParams

/** The search params of the search of a public project. */
export const searchParams = {
  q: (value) => {
    const q = withLineFeeds(value).trim()
    return q !== '' && isStorable(q) && characters(q) <= SEARCH_MAX ? q : undefined
  },
  page: (value) => (pageIn(value) > 1 && pageIn(value) <= HIT_PAGES_MAX ? String(pageIn(value)) : undefined),
} satisfies CachedParams
