import type { MilestoneRef } from './composer-settings.ts'

const keyOf = (personId: string | undefined) => `lastWrittenIn/${personId}`

/** Stores in this browser the milestone of a person's last entry. */
export function rememberMilestone(
  personId: string | undefined,
  { projectId, milestoneId }: MilestoneRef,
): void {
  try {
    localStorage.setItem(keyOf(personId), JSON.stringify({ projectId, milestoneId }))
  } catch {
    // The browser forbids storage: the person chooses again the next time.
  }
}

/** Returns the milestone of a person's last entry, or null. It needs no schema, because the dashboard loads none. */
export function lastMilestone(personId: string | undefined): MilestoneRef | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(personId)) ?? 'null')
    return isRef(stored) ? { projectId: stored.projectId, milestoneId: stored.milestoneId } : null
  } catch {
    // No milestone is stored, it is invalid, or the browser forbids storage.
    return null
  }
}

const isRef = (value: unknown): value is MilestoneRef =>
  typeof value === 'object' &&
  value !== null &&
  'projectId' in value &&
  'milestoneId' in value &&
  typeof value.projectId === 'string' &&
  typeof value.milestoneId === 'string'
