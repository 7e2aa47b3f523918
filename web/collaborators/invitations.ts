import type { Collaborator } from '#contract/collaborators.ts'

/** Returns the link by which an invitation is accepted or declined. */
export function invitationLink(origin: string, inviteToken: string): string {
  return `${origin}/invite/${inviteToken}`
}

/** Returns whether a pending invitation has expired. */
export function isExpired({ status, expiresAt }: Pick<Collaborator, 'status' | 'expiresAt'>): boolean {
  return status === 'pending' && expiresAt !== null && Date.parse(expiresAt) <= Date.now()
}
