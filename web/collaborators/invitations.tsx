import { CircleCheck, CircleX, Clock, Hourglass } from 'lucide-react'
import type { Collaborator } from '#contract/collaborators.ts'
import { Badge } from '#web/ui/layout/badge.tsx'

const faces = {
  accepted: { tone: 'success', icon: CircleCheck, text: 'Accepted' },
  pending: { tone: 'warning', icon: Clock, text: 'Pending' },
  declined: { tone: 'neutral', icon: CircleX, text: 'Declined' },
  expired: { tone: 'neutral', icon: Hourglass, text: 'Expired' },
} as const

/** The status of an invitation. */
export function StatusBadge({ collaborator }: { collaborator: Pick<Collaborator, 'status' | 'expiresAt'> }) {
  const { tone, icon: Icon, text } = faces[isExpired(collaborator) ? 'expired' : collaborator.status]
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {text}
    </Badge>
  )
}

/** Returns the link by which an invitation is accepted or declined. */
export function invitationLink(origin: string, inviteToken: string): string {
  return `${origin}/invite/${inviteToken}`
}

/** Returns whether a pending invitation has expired. */
export function isExpired({ status, expiresAt }: Pick<Collaborator, 'status' | 'expiresAt'>): boolean {
  return status === 'pending' && expiresAt !== null && Date.parse(expiresAt) <= Date.now()
}
