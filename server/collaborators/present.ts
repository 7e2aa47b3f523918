import type { Collaboration, Collaborator } from '#contract/collaborators.ts'
import type { CoverJson } from '#server/database/covers.ts'
import { presentLastEntry } from '#server/database/last-entry.ts'
import { pictureField } from '#server/files/links.ts'
import { shownName } from '#server/files/people.ts'
import { readableEmail } from '#server/platform/mail/readable-email.ts'
import type { TokenCipher } from '#server/platform/token-cipher.ts'
import { isOpen } from './invitation-proof.ts'
import type { CollaborationRecord } from './my-collaborations-store.ts'
import type { CollaboratorRecord } from './store.ts'

/** `tokens` is set if the reader may see the tokens of invitations. */
type Reader = { tokens: TokenCipher | null; now: Date }

/** Presents a member or an invitation; with the token only for readers who may see it, while it can be answered. */
export function presentCollaborator(row: CollaboratorRecord, { tokens, now }: Reader): Collaborator {
  const inviteToken = isOpen(row, now) ? tokens?.decrypt(row.invite_token_encrypted, row.id) : null
  return {
    _id: row.id,
    email: readableEmail(row.email),
    role: row.role,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    joinedAt: row.joined_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    inviter: { name: shownName(row.inviter_name) },
    invitee:
      row.user_id === null
        ? null
        : { name: shownName(row.invitee_name), ...pictureField(row.invitee_picture) },
    project: row.project_id,
    ...(inviteToken && { inviteToken }),
    ...(tokens && isUndelivered(row) && { undelivered: true as const }),
  }
}

/** Returns where the cover of an open invitation is sent. */
export const invitedCoverURL = (token: string): string => `/invite/${encodeURIComponent(token)}/cover`

type Covered = Pick<NonNullable<Collaboration['project']['state']>, 'imageURL' | 'image'>
/** Presents the cover of a project, which is public or not, to the reader. */
type CoverOf = (cover: CoverJson, isPublic: boolean) => Covered

/** Presents a collaboration to the invited person. */
export function presentCollaboration(
  row: CollaborationRecord,
  reader: Reader & { coverOf: CoverOf },
): Collaboration {
  const collaborator = presentCollaborator(row, reader)
  const { inviteToken } = collaborator
  return {
    ...collaborator,
    project: {
      _id: row.project_id,
      title: row.project_title,
      description: row.project_description,
      isPublic: row.project_is_public,
      ...(row.tint !== null && { tint: row.tint }),
      ...(inviteToken && row.cover && { imageURL: invitedCoverURL(inviteToken) }),
      ...(row.status === 'accepted' && {
        state: stateOf(row, reader.coverOf),
      }),
    },
  }
}

function stateOf(row: CollaborationRecord, coverOf: CoverOf) {
  return {
    milestoneCount: row.milestone_count,
    completedMilestoneCount: row.completed_milestone_count,
    lastEntry: presentLastEntry(row.last_entry),
    ...(row.cover && coverOf(row.cover, row.project_is_public)),
  }
}

/** Whether the email of a pending invitation was refused for good. */
const isUndelivered = ({ status, undeliverable_at }: CollaboratorRecord) =>
  status === 'pending' && undeliverable_at !== null
