import type { Action } from '#contract/parts/call.ts'
import type { Role } from '#contract/permissions.ts'
import type { ProjectAccess } from './store.ts'

/**
 * Every action on a project and the roles that may do it. Some queries and screens decide by role or membership themselves:
 * docs/contributing.md lists them under "A permission change".
 */
export const rolesByAction = {
  'project:view': ['owner', 'admin', 'editor', 'viewer'],
  'project:edit': ['owner', 'admin'],
  'project:delete': ['owner'],
  'content:edit': ['owner', 'admin', 'editor'],
  'activity:view': ['owner', 'admin', 'editor', 'viewer'],
  'collaborators:list': ['owner', 'admin', 'editor', 'viewer'],
  'collaborators:manage': ['owner', 'admin'],
  'collaborators:leave': ['admin', 'editor', 'viewer'],
} as const satisfies Record<Action, readonly Role[]>

/** Returns whether this access allows the action: the table decides by role, and everybody may view a public project. */
export function can(access: Pick<ProjectAccess, 'role' | 'isPublic'>, action: Action): boolean {
  if (action === 'project:view' && access.isPublic) return true
  const allowed: readonly Role[] = rolesByAction[action]
  return access.role !== null && allowed.includes(access.role)
}
