import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { deleteAccount, previewDeletion } from './deletion.ts'
import { removePicture, updatePicture } from './picture.ts'
import {
  cancelEmailChange,
  changeEmail,
  changePassword,
  confirmEmailChange,
  endOtherSessions,
  endSession,
  listSessions,
  readAccount,
  refuseEmailChange,
  updateAccount,
  updateDatePreferences,
  updateNotificationPreferences,
} from './service.ts'
import { beginTwoFactor, makeRecoveryCodes, turnOffTwoFactor, turnOnTwoFactor } from './two-factor.ts'

export function accountRoutes(serve: Serve, deps: AppDeps): void {
  serve('readAccount', ({ caller }) => readAccount(deps, caller))
  serve('updateAccount', ({ caller, body }) => updateAccount(deps, caller, body))
  serve('updateNotificationPreferences', ({ caller, body }) =>
    updateNotificationPreferences(deps, caller, body),
  )
  serve('updateDatePreferences', ({ caller, body }) => updateDatePreferences(deps, caller, body))
  serve('updatePicture', ({ caller, upload }) => updatePicture(deps, caller, upload))
  serve('removePicture', ({ caller }) => removePicture(deps, caller))
  serve('changePassword', ({ caller, body }) => changePassword(deps, caller, body))
  serve('beginTwoFactor', ({ caller }) => beginTwoFactor(deps, caller))
  serve('turnOnTwoFactor', ({ caller, body }) => turnOnTwoFactor(deps, caller, body.code))
  serve('turnOffTwoFactor', ({ caller }) => turnOffTwoFactor(deps, caller))
  serve('makeRecoveryCodes', ({ caller }) => makeRecoveryCodes(deps, caller))
  serve('changeEmail', ({ caller, body }) => changeEmail(deps, caller, body))
  serve('cancelEmailChange', ({ caller }) => cancelEmailChange(deps, caller))
  serve('confirmEmailChange', ({ caller, body }) => confirmEmailChange(deps, caller, body.token))
  serve('refuseEmailChange', ({ body }) => refuseEmailChange(deps, body.token))
  serve('previewDeletion', ({ caller }) => previewDeletion(deps, caller))
  serve('deleteAccount', ({ caller, body }) => deleteAccount(deps, caller, body))
  serve('listSessions', ({ caller }) => listSessions(deps, caller))
  serve('endSession', ({ caller, params }) => endSession(deps, caller, params.sessionId))
  serve('endOtherSessions', ({ caller }) => endOtherSessions(deps, caller))
}
