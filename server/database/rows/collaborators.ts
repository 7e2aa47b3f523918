import type { CollaboratorStatus } from '#contract/collaborators.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import type { Created, Nullable, Remembering, Timestamp } from './columns.ts'

/** An invitation and, once accepted, a membership. */
export type CollaboratorRow = Remembering & {
  id: string
  project_id: string
  email: string
  role: CollaboratorRole
  status: CollaboratorStatus
  /** The encrypted token of a pending invitation. */
  invite_token_encrypted: Nullable<Buffer>
  /** The hash by which the token is found. It remains after the token was used, so that its owner can use the link again. */
  token_hash: Nullable<string>
  expires_at: Date | null
  inviter_id: string | null
  /** The person who accepted or declined. */
  user_id: string | null
  joined_at: Nullable<Date>
  /** When the email with the current token was sent. */
  mailed_at: Nullable<Date>
  undeliverable_at: Nullable<Date>
  /** The time of the invitation, or of its latest renewal. */
  created_at: Timestamp
  updated_at: Timestamp
}

/** A person who was notified of the invitation with this token. */
export type InvitationNoticeRow = { collaborator_id: string; user_id: string; token_hash: string }

/** An invitation that counts towards its inviter's limit. */
export type InvitationMadeRow = { id: string; inviter_id: string; made_at: Created }

export type CollaboratorTables = {
  collaborators: CollaboratorRow
  invitation_notices: InvitationNoticeRow
  invitations_made: InvitationMadeRow
}
