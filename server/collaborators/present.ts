import type { Collaboration, Collaborator } from '#contract/collaborators.ts'
import type { CollaborationRecord, CollaboratorRecord } from './store.ts'

type Viewer = { seesTokens: boolean; now: Date }

/** A member or an invitation; its token goes only to those who may see it, and only while it can be answered. */
export function presentCollaborator(row: CollaboratorRecord, { seesTokens, now }: Viewer): Collaborator {
  return {
    _id: row.id,
    email: row.email,
    role: row.role,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    joinedAt: row.joined_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    inviter: { name: shownName(row.inviter_name) },
    invitee: row.user_id === null ? null : { name: shownName(row.invitee_name) },
    project: row.project_id,
    ...(seesTokens && isOpen(row, now) && row.invite_token !== null && { inviteToken: row.invite_token }),
  }
}

/** One of the invited person's own collaborations. */
export function presentCollaboration(row: CollaborationRecord, now: Date): Collaboration {
  return {
    ...presentCollaborator(row, { seesTokens: true, now }),
    project: {
      _id: row.project_id,
      title: row.project_title,
      description: row.project_description,
      isPublic: row.project_is_public,
    },
  }
}

export const shownName = (name: string | null) => name || 'Anonymous'

/** Whether an invitation can still be answered. */
export function isOpen(row: Pick<CollaboratorRecord, 'status' | 'expires_at'>, now: Date): boolean {
  return row.status === 'pending' && row.expires_at !== null && row.expires_at > now
}
