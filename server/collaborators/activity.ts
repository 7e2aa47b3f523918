import type { ActivityDetails, INVITATION_KINDS } from '#contract/activity.ts'
import { recordActivity } from '#server/activity/service.ts'
import { shownName } from '#server/files/people.ts'
import type { ChangeContext } from './notifications.ts'
import type { CollaboratorRecord } from './store.ts'

type Context = Pick<ChangeContext, 'trx' | 'now'>

/** The user who made the change; null if unknown. */
type By = { actorId: string | null; details?: ActivityDetails }

/** Records an activity about a member. */
export function recordMember(
  { trx, now }: Context,
  kind: 'member_joined' | 'role_changed' | 'member_left' | 'member_removed' | 'project_handed_over',
  row: Pick<CollaboratorRecord, 'project_id' | 'user_id' | 'invitee_name'>,
  by: By,
): Promise<void> {
  const about = { projectId: row.project_id, personId: row.user_id, subject: shownName(row.invitee_name) }
  return recordActivity(trx, { kind, ...about, ...by, now })
}

/** Records an activity about an invitation, which is shown only to people who may see invitations. */
export function recordInvitation(
  { trx, now }: Context,
  kind: (typeof INVITATION_KINDS)[number],
  { project_id: projectId, email: subject }: Pick<CollaboratorRecord, 'project_id' | 'email'>,
  by: By,
): Promise<void> {
  return recordActivity(trx, { kind, projectId, subject, ...by, now })
}
