import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Collaboration, Collaborator } from '#contract/collaborators.ts'
import { presentLastEntry } from '#server/entries/last-entry.ts'
import { pictureField } from '#server/files/links.ts'
import type { Newcomer } from '#server/identity/identity.ts'
import type { Secret, Secrets } from '#server/identity/secrets.ts'
import type { CollaborationRecord } from './my-collaborations-store.ts'
import type { CollaboratorRecord, EmailProof } from './store.ts'

/** The token in the link of an invitation, 256 random bits, and the hash by which the invitation is found. */
export type InviteToken = { token: string; tokenHash: string }

export function makeToken(): InviteToken {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOf(token) }
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The proof that an invitation to an email is meant for a person: its token, or a verified email. */
export type InvitationProof = { email: string; tokenHash: string | null; withoutToken: boolean }

/** Returns the proof of a person without an account. */
export function proofOf({ email, emailVerified, invitation }: Newcomer): InvitationProof {
  return {
    email,
    tokenHash: invitation === undefined ? null : hashOf(invitation),
    withoutToken: emailVerified,
  }
}

/** Tokens of invitations as the database holds them: encrypted, and each bound to its row. */
export type TokenCipher = {
  encrypt: (token: string, collaboratorId: string) => Buffer
  /** The token, or null where it was encrypted for another row or under a secret that this server no longer has. */
  decrypt: (encrypted: Buffer | null, collaboratorId: string) => string | null
}

const VERSION = 1
const KEY_ID_BYTES = 6
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + KEY_ID_BYTES
const SHORTEST = HEAD_BYTES + NONCE_BYTES + TAG_BYTES

/** AES-256-GCM under a key of the token secret: version, key id, nonce, ciphertext, tag. */
export function createTokenCipher({ current, previous }: Secrets): TokenCipher {
  const known = [current, ...(previous ? [previous] : [])]

  return {
    encrypt(token, collaboratorId) {
      const head = headOf(current)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.invitationKey, nonce)
      cipher.setAAD(boundTo(head, collaboratorId))
      return Buffer.concat([head, nonce, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },

    decrypt(encrypted, collaboratorId) {
      if (encrypted === null || encrypted.length < SHORTEST) return null
      const head = encrypted.subarray(0, HEAD_BYTES)
      const secret = known.find((one) => headOf(one).equals(head))
      if (!secret) return null
      const nonce = encrypted.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', secret.invitationKey, nonce, {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(boundTo(head, collaboratorId))
      decipher.setAuthTag(encrypted.subarray(-TAG_BYTES))
      const token = decipher.update(encrypted.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES))
      try {
        return Buffer.concat([token, decipher.final()]).toString('utf8')
      } catch {
        // Changed, or moved here from another row.
        return null
      }
    },
  }
}

const headOf = ({ id }: Secret) => Buffer.concat([Buffer.of(VERSION), Buffer.from(id, 'hex')])

const boundTo = (head: Buffer, collaboratorId: string) => Buffer.concat([head, Buffer.from(collaboratorId)])

/** Returns whether an email is proven to be its account's. */
export function emailProof(
  { sendsMail }: { sendsMail: boolean },
  { email_verified }: { email_verified: boolean },
): EmailProof {
  if (email_verified) return 'proven'
  return sendsMail ? 'unproven' : 'unprovable'
}

/** Returns whether two emails are the same, ignoring the case of letters. */
export function isSameEmail(one: string, other: string): boolean {
  return folded(one) === folded(other)
}

/** ASCII letters alone: some others have an ASCII letter as their lower case, such as the kelvin sign. */
const folded = (email: string) => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** `tokens` is given where the reader may see the tokens of invitations. */
type Reader = { tokens: TokenCipher | null; now: Date }

/** A member or an invitation; its token goes only to those who may see it, and only while it can be answered. */
export function presentCollaborator(row: CollaboratorRecord, { tokens, now }: Reader): Collaborator {
  const inviteToken = isOpen(row, now) ? tokens?.decrypt(row.invite_token_encrypted, row.id) : null
  return {
    _id: row.id,
    email: row.email,
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
  }
}

/** One of the invited person's own collaborations. */
export function presentCollaboration(row: CollaborationRecord, reader: Reader): Collaboration {
  return {
    ...presentCollaborator(row, reader),
    project: {
      _id: row.project_id,
      title: row.project_title,
      description: row.project_description,
      isPublic: row.project_is_public,
      ...(row.status === 'accepted' && { state: stateOf(row) }),
    },
  }
}

function stateOf(row: CollaborationRecord) {
  return {
    milestoneCount: row.milestone_count,
    completedMilestoneCount: row.completed_milestone_count,
    lastEntry: presentLastEntry(row.last_entry),
  }
}

export const shownName = (name: string | null) => name || 'Anonymous'

/** Whether an invitation can still be answered. */
export function isOpen(row: Pick<CollaboratorRecord, 'status' | 'expires_at'>, now: Date): boolean {
  return row.status === 'pending' && row.expires_at !== null && row.expires_at > now
}
