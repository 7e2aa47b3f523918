import type { Parts } from '#server/parts.ts'
import type { Serve } from '#server/platform/calls.ts'
import type { RunSearch } from '#server/platform/load/search.ts'
import { acceptInvitation, declineInvitation, readInvitation } from './answers.ts'
import { inviteCollaborator, readInvitationOptions } from './invitations.ts'
import { leaveProject, listCollaborators, removeCollaborator, updateCollaborator } from './members.ts'
import { listMyCollaborations } from './mine.ts'

export function collaboratorRoutes(
  serve: Serve,
  parts: Parts,
  options: { rateLimit: boolean; search: RunSearch },
): void {
  serve('readInvitationOptions', async () => readInvitationOptions(parts))
  serve('listCollaborators', ({ caller, params }) => listCollaborators(parts, caller, params.projectId))
  serve('inviteCollaborator', ({ caller, params, body }) =>
    inviteCollaborator(parts, caller, params.projectId, body, options),
  )
  serve('updateCollaborator', ({ caller, params, body }) => updateCollaborator(parts, caller, params, body))
  serve('removeCollaborator', ({ caller, params }) => removeCollaborator(parts, caller, params))
  serve('leaveProject', ({ caller, params }) => leaveProject(parts, caller, params.projectId))
  serve('acceptInvitation', ({ caller, params }) =>
    caller ? acceptInvitation(parts, caller, params.inviteToken) : readInvitation(parts, params.inviteToken),
  )
  serve('declineInvitation', ({ caller, params }) => declineInvitation(parts, caller, params.inviteToken))
  serve('listMyCollaborations', ({ caller, client, query }) =>
    listMyCollaborations(parts, { caller, client, search: options.search }, query),
  )
}
