import type { WorldPage } from '#contract/world.ts'
import { excerpt } from '#web/entries/excerpt.ts'

export type ProjectPage = ReturnType<typeof projectPage>
export type ShownMilestone = NonNullable<ProjectPage['shown']>
export type TrailMilestone = ProjectPage['milestones'][number]
export type EntryLine = ShownMilestone['entries'][number]

/** What the page of a public project shows, and no more. */
export function projectPage({ project, milestones, shown }: WorldPage) {
  const { _id, title, description, createdAt, progress, user } = project
  return {
    project: { _id, title, description, createdAt, progress, ownerName: user.name },
    summary: excerpt(description),
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
    entries: entries.map(({ beginning, ...line }) => ({ ...line, excerpt: excerpt(beginning) })),
  }
}
