import type { World, WorldPage } from '#contract/world.ts'
import { shorten } from '#markdown/excerpt.ts'
import { progressOf } from '#server/projects/present.ts'
import type { LineRecord, PublicProject, StopRecord } from './store.ts'

/** How a nameless owner is shown. */
const ANONYMOUS = 'Anonymous'

/** What the world sees: of the owner a name, never an id or an address. */
export function presentPublicProject(row: PublicProject): World['project'] {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    isPublic: true,
    createdAt: row.created_at.toISOString(),
    progress: progressOf(row.completed_milestone_count, row.milestone_count),
    user: presentOwner(row.owner_name),
  }
}

export function presentStop(row: StopRecord): WorldPage['milestones'][number] {
  return {
    _id: row.id,
    title: row.title,
    completed: row.completed,
    entryCount: row.entry_count,
    createdAt: row.created_at.toISOString(),
  }
}

export function presentLine(row: LineRecord): NonNullable<WorldPage['shown']>['entries'][number] {
  return {
    _id: row.id,
    title: row.title,
    tags: row.tags,
    createdAt: row.created_at.toISOString(),
    excerpt: row.excerpt ?? shorten(row.beginning ?? ''),
  }
}

const presentOwner = (name: string) => ({ name: name.trim() || ANONYMOUS })
