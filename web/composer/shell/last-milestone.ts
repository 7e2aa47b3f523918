import type { Project } from '#contract/projects.ts'
import { readStoredAs, store } from '#web/api/browser-storage.ts'
import type { MilestoneRef } from './composer-settings.ts'

const keyOf = (personId: string | undefined) => `lastWrittenIn/${personId}`

/** Stores in this browser the milestone of a person's last entry. */
export function rememberMilestone(
  personId: string | undefined,
  { projectId, milestoneId }: MilestoneRef,
): void {
  store(keyOf(personId), JSON.stringify({ projectId, milestoneId }))
}

/** Returns the milestone of a person's last entry, or null. It needs no schema, because the dashboard loads none. */
export function lastMilestone(personId: string | undefined): MilestoneRef | null {
  const stored = readStoredAs(keyOf(personId), { parse: (value) => value })
  return isRef(stored) ? { projectId: stored.projectId, milestoneId: stored.milestoneId } : null
}

const isRef = (value: unknown): value is MilestoneRef =>
  typeof value === 'object' &&
  value !== null &&
  'projectId' in value &&
  'milestoneId' in value &&
  typeof value.projectId === 'string' &&
  typeof value.milestoneId === 'string'

/** Returns the milestones of the last entries of projects, the most recent first. */
export function milestonesOfLastEntries<P extends Pick<Project, '_id' | 'lastEntry'>>(
  projects: readonly P[],
) {
  return projects
    .flatMap((project) => (project.lastEntry ? [{ project, lastEntry: project.lastEntry }] : []))
    .sort((one, other) => Date.parse(other.lastEntry.publishedAt) - Date.parse(one.lastEntry.publishedAt))
    .map(({ project, lastEntry }) => ({ project, projectId: project._id, milestoneId: lastEntry.milestone }))
}
