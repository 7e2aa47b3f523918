import type { Project } from '#contract/projects.ts'
import { presentLastEntry } from '#server/database/last-entry.ts'
import type { AppDeps } from '#server/deps.ts'
import { coverFields, presentCoverChoice, urlsFor } from '#server/files/present.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import type { ProjectRecord } from './store.ts'

/** Returns a presenter of projects for this caller. */
export function projectPresenter(
  deps: Pick<AppDeps, 'links'>,
  caller: Caller | null,
): (row: ProjectRecord) => Project {
  return (row) => ({
    ...presentFacts(row),
    ...(row.cover && coverFields(row.cover, urlsFor(deps, row.is_public ? null : caller))),
  })
}

function presentFacts(row: ProjectRecord): Project {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    ...presentCoverChoice(row),
    ...(row.tint !== null && { tint: row.tint }),
    isPublic: row.is_public,
    visibility: row.visibility,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    milestoneCount: row.milestone_count,
    completedMilestoneCount: row.completed_milestone_count,
    progress: progressOf(row.completed_milestone_count, row.milestone_count),
    lastEntryAt: row.last_entry_at?.toISOString() ?? null,
    lastEntry: presentLastEntry(row.last_entry),
  }
}

/** Specification, section 4: the rounded percentage of completed milestones; 0 without milestones. */
export function progressOf(completed: number, all: number): number {
  return all === 0 ? 0 : Math.round((100 * completed) / all)
}
