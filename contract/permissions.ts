import { z } from 'zod'
import { defineCalls } from './call.ts'

/** The roles that an invitation can give. */
export const collaboratorRole = z.enum(['viewer', 'editor', 'admin'])
export type CollaboratorRole = z.infer<typeof collaboratorRole>

export const role = z.enum(['owner', 'admin', 'editor', 'viewer'])
export type Role = z.infer<typeof role>

/** The caller's rights in one project, evaluated by the server; all false and null where there is none. */
export const permissions = z.object({
  canView: z.boolean(),
  canEdit: z.boolean(),
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
    summary: 'What I may do in a project',
    // Any word: what cannot be an id names no project, and nobody has a right in none.
    params: z.object({ projectId: z.string() }),
    answers: { 200: permissions },
  },
})
