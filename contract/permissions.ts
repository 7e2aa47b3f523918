import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { ids } from './parts/wire.ts'

/** The roles that an invitation can give. */
export const collaboratorRole = z.enum(['viewer', 'editor', 'admin'])
export type CollaboratorRole = z.infer<typeof collaboratorRole>

export const role = z.enum(['owner', 'admin', 'editor', 'viewer'])
export type Role = z.infer<typeof role>

/** The caller's rights in one project, evaluated by the server; all false and null if they cannot see it. */
export const permissions = z.object({
  canView: z.boolean(),
  canEdit: z.boolean(),
  /** Also covers changing the project itself, which requires the same roles. */
  canManageCollaborators: z.boolean(),
  isOwner: z.boolean(),
  role: role.nullable(),
})
export type Permissions = z.infer<typeof permissions>

export const permissionCalls = defineCalls({
  readPermissions: {
    method: 'GET',
    path: '/api/projects/:projectId/permissions',
    who: 'either',
    scope: 'read',
    summary: 'What I may do in a project',
    params: ids('projectId'),
    responses: { 200: permissions },
  },
})
