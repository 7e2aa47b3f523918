import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/calls.ts'
import { listAuditLog } from './audit.ts'
import { readInstance, updateRegistration } from './instance.ts'
import { inviteToServer, listServerInvitations, withdrawServerInvitation } from './invitations.ts'
import { listPeople, makeResetLink, refusePerson, updatePerson } from './people.ts'

export function administrationRoutes(serve: Serve, deps: AppDeps): void {
  serve('readInstance', ({ caller }) => readInstance(deps, caller))
  serve('updateRegistration', ({ caller, body }) => updateRegistration(deps, caller, body))
  serve('listPeople', ({ caller, query }) => listPeople(deps, caller, query))
  serve('updatePerson', ({ caller, params, body }) => updatePerson(deps, caller, params.personId, body))
  serve('refusePerson', ({ caller, params }) => refusePerson(deps, caller, params.personId))
  serve('makeResetLink', ({ caller, params }) => makeResetLink(deps, caller, params.personId))
  serve('listServerInvitations', ({ caller }) => listServerInvitations(deps, caller))
  serve('inviteToServer', ({ caller, body }) => inviteToServer(deps, caller, body))
  serve('withdrawServerInvitation', ({ caller, params }) =>
    withdrawServerInvitation(deps, caller, params.invitationId),
  )
  serve('listAuditLog', ({ caller, query }) => listAuditLog(deps, caller, query.before))
}
