import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import type { RunSearch } from '#server/platform/limits/search.ts'
import { acceptInvitation, declineInvitation, readInvitation } from './answer-invitation.ts'
import { inviteCollaborator, readInvitationOptions } from './invite.ts'
import {
  leaveProject,
  listCollaborators,
  listMyCollaborations,
  removeCollaborator,
  transferProject,
  updateCollaborator,
} from './members.ts'

export function collaboratorRoutes(
  serve: Serve,
  deps: AppDeps,
  options: { rateLimit: boolean; search: RunSearch },
): void {
  serve('readInvitationOptions', async () => readInvitationOptions(deps))
  serve('listCollaborators', ({ caller, params }) => listCollaborators(deps, caller, params.projectId))
  serve('inviteCollaborator', ({ caller, params, body, change }) =>
    inviteCollaborator(deps, caller, params.projectId, body, { ...options, change }),
  )
  serve('updateCollaborator', ({ caller, params, body }) => updateCollaborator(deps, caller, params, body))
  serve('removeCollaborator', ({ caller, params }) => removeCollaborator(deps, caller, params))
  serve('transferProject', ({ caller, params, body }) =>
    transferProject(deps, caller, params.projectId, body),
  )
  serve('leaveProject', ({ caller, params }) => leaveProject(deps, caller, params.projectId))
  serve('acceptInvitation', ({ caller, params }) =>
    caller ? acceptInvitation(deps, caller, params.inviteToken) : readInvitation(deps, params.inviteToken),
  )
  serve('declineInvitation', ({ caller, params, change }) =>
    declineInvitation(deps, caller, params.inviteToken, change),
  )
  serve('listMyCollaborations', ({ caller, client, query }) =>
    listMyCollaborations(deps, { caller, client, search: options.search }, query),
  )
}
