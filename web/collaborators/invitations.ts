import type { Collaborator } from '#contract/collaborators.ts'

/** The link that lets the invited person answer. */
export function invitationLink(origin: string, inviteToken: string): string {
  return `${origin}/invite/${inviteToken}`
}

/** Whether an invitation was left unanswered for too long. */
export function isExpired({ status, expiresAt }: Pick<Collaborator, 'status' | 'expiresAt'>): boolean {
  return status === 'pending' && expiresAt !== null && Date.parse(expiresAt) <= Date.now()
}
