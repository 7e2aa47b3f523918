import type { Activity } from '#contract/activity.ts'
import type { Caller } from '#server/platform/calls.ts'
import type { ActivityRecord } from './store.ts'

/** What happened, as this person reads it. */
export function presentActivity(row: ActivityRecord, { userId }: Pick<Caller, 'userId'>): Activity {
  const { actor_id, actor_name, milestone_id, milestone_title, entry_id, entry_milestone_id } = row
  const isKnown = actor_id !== null || actor_name !== ''
  return {
    _id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    actor: isKnown ? { name: actor_name || 'Anonymous', isMe: actor_id === userId } : null,
    subject: row.subject,
    details: row.details,
    milestone:
      milestone_id === null || milestone_title === null
        ? null
        : { _id: milestone_id, title: milestone_title },
    entry:
      entry_id === null || entry_milestone_id === null
        ? null
        : { _id: entry_id, milestone: entry_milestone_id },
  }
}
