import type { Draft, ListedDraft } from '#contract/drafts.ts'
import { excerptOfSource } from '#markdown/source-excerpt.ts'
import { can } from '#server/permissions/roles-by-action.ts'
import type { DraftRecord, ListedRecord, MilestoneWithRole } from './store.ts'

/** The entries and milestones that drafts refer to and that their writer may see, by id. */
export type ReferenceMaps = {
  entries: Map<string, { id: string; title: string; milestone_id: string }>
  milestones: Map<string, MilestoneWithRole>
}

/** Returns a presenter of drafts for their writer. */
export function draftPresenter({ entries, milestones }: ReferenceMaps) {
  function refsOf({ entry_id, milestone_id }: Pick<ListedRecord, 'entry_id' | 'milestone_id'>) {
    const entry = entry_id === null ? undefined : entries.get(entry_id)
    const at = milestones.get((entry ? entry.milestone_id : milestone_id) ?? '')
    return {
      entry: entry && at ? { _id: entry.id, title: entry.title } : null,
      milestone: at ? { _id: at.milestoneId, title: at.milestoneTitle } : null,
      project: at ? { _id: at.projectId, title: at.projectTitle } : null,
      canEdit: at !== undefined && can({ role: at.role, isPublic: false }, 'content:edit'),
    }
  }

  function targetOf({ milestone_id }: Pick<DraftRecord, 'milestone_id'>): Draft['target'] {
    const at = milestones.get(milestone_id ?? '')
    return at ? { projectId: at.projectId, milestoneId: at.milestoneId } : null
  }

  const common = (row: ListedRecord) => ({
    _id: row.id,
    title: row.title,
    ...refsOf(row),
    version: row.version,
    savedAt: row.updated_at.toISOString(),
  })

  return {
    listed: (row: ListedRecord): ListedDraft => ({
      ...common(row),
      excerpt: excerptOfSource(row.content),
    }),
    whole: (row: DraftRecord): Draft => ({
      ...common(row),
      content: row.content,
      tags: row.tags,
      baseVersion: row.base_version,
      target: targetOf(row),
      happenedOn: row.happened_on,
      coverFile: row.cover_file_id ?? row.cover_choice,
    }),
  }
}
