import type { Entry } from '#contract/entries.ts'
import type { World, WorldMilestone } from '#contract/world.ts'
import { excerpt } from '#web/entries/excerpt.ts'

export const ENTRIES_PER_PAGE = 12

/** What the address asks for, as it stands there. */
export type Wish = { milestone: string | null; page: string | null }

export type ProjectPage = ReturnType<typeof projectPage>
export type ShownMilestone = NonNullable<ProjectPage['shown']>
export type TrailMilestone = ProjectPage['milestones'][number]
export type EntryLine = ShownMilestone['entries'][number]

/** What the page of a public project shows, and no more: of the entries the beginnings, of one page of one milestone. */
export function projectPage({ project, milestones }: World, wish: Wish) {
  const shown = milestones.find(({ _id }) => _id === wish.milestone) ?? milestones[0]
  const { _id, title, description, createdAt, progress, user } = project
  return {
    project: { _id, title, description, createdAt, progress, ownerName: user.name },
    summary: excerpt(description),
    milestones: milestones.map(onTrail),
    shown: shown ? shownMilestone(shown, Number(wish.page)) : null,
  }
}

function onTrail({ _id, title, completed, entryCount, createdAt }: WorldMilestone) {
  return { _id, title, completed, entryCount, createdAt }
}

function shownMilestone(milestone: WorldMilestone, wished: number) {
  const { _id, title, description, entries } = milestone
  const pageCount = Math.max(1, Math.ceil(entries.length / ENTRIES_PER_PAGE))
  const page = Number.isInteger(wished) ? Math.min(Math.max(wished, 1), pageCount) : 1
  const from = (page - 1) * ENTRIES_PER_PAGE
  return {
    _id,
    title,
    description,
    page,
    pageCount,
    entries: entries.slice(from, from + ENTRIES_PER_PAGE).map(entryLine),
  }
}

function entryLine({ _id, title, tags, createdAt, content }: Entry) {
  return { _id, title, tags, createdAt, excerpt: excerpt(content) }
}
