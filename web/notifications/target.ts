import type { Notification } from '#contract/notifications.ts'

/** Where a notification leads; null where nowhere. */
export function targetOf({ type, data }: Pick<Notification, 'type' | 'data'>): string | null {
  if (type === 'collaboration_invite') {
    return data.inviteToken === undefined ? null : `/invite/${encodeURIComponent(data.inviteToken)}`
  }
  const leadsToProject = type === 'collaboration_accepted' || type === 'role_updated'
  return leadsToProject && data.projectId !== undefined ? `/projects/${data.projectId}` : null
}
