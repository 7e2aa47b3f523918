import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { changePersonEmail, makeResetLink, turnOffPersonTwoFactor } from './account-recovery.ts'
import { listAuditLog } from './audit.ts'
import { listPeople, refusePerson, updatePerson } from './people.ts'
import { inviteToServer, listServerInvitations, withdrawServerInvitation } from './server-invitations.ts'
import {
  readFailedJobs,
  readInstance,
  updateAnnouncement,
  updateRegistration,
  updateTerms,
} from './server-settings.ts'
import { sendTestEmail } from './test-email.ts'
import { createTermsReader } from './texts.ts'

export function administrationRoutes(
  serve: Serve,
  deps: AppDeps,
  { publicUrl }: { publicUrl: string },
): void {
  serve('readInstance', ({ caller }) => readInstance(deps, caller))
  serve('updateRegistration', ({ caller, body, ifMatch }) => updateRegistration(deps, caller, body, ifMatch))
  serve('updateAnnouncement', ({ caller, body, ifMatch }) =>
    updateAnnouncement(deps, caller, body.text, ifMatch),
  )
  serve('updateTerms', ({ caller, body, ifMatch }) => updateTerms(deps, caller, body.text, ifMatch))
  serve('readTerms', createTermsReader(deps))
  serve('sendTestEmail', ({ caller }) => sendTestEmail({ ...deps, publicUrl }, caller))
  serve('listFailedJobs', ({ caller }) => readFailedJobs(deps, caller))
  serve('listPeople', ({ caller, query }) => listPeople(deps, caller, query))
  serve('updatePerson', ({ caller, params, body }) => updatePerson(deps, caller, params.personId, body))
  serve('refusePerson', ({ caller, params }) => refusePerson(deps, caller, params.personId))
  serve('makeResetLink', ({ caller, params }) => makeResetLink(deps, caller, params.personId))
  serve('turnOffPersonTwoFactor', ({ caller, params }) =>
    turnOffPersonTwoFactor(deps, caller, params.personId),
  )
  serve('changePersonEmail', ({ caller, params, body }) =>
    changePersonEmail(deps, caller, params.personId, body.email),
  )
  serve('listServerInvitations', ({ caller }) => listServerInvitations(deps, caller))
  serve('inviteToServer', ({ caller, body, change }) => inviteToServer(deps, caller, body, change))
  serve('withdrawServerInvitation', ({ caller, params }) =>
    withdrawServerInvitation(deps, caller, params.invitationId),
  )
  serve('listAuditLog', ({ caller, query }) => listAuditLog(deps, caller, query.before))
}
