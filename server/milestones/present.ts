import type { Milestone } from '#contract/milestones.ts'
import type { MilestoneRecord } from './store.ts'

export function presentMilestone(row: MilestoneRecord): Milestone {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    completed: row.completed,
    startsOn: row.starts_on,
    dueOn: row.due_on,
    reachedAt: row.reached_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    project: row.project_id,
    entryCount: row.entry_count,
  }
}
