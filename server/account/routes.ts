import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/calls.ts'
import { deleteAccount, previewDeletion } from './deletion.ts'
import {
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
  readAccount,
  updateAccount,
} from './service.ts'

export function accountRoutes(serve: Serve, deps: AppDeps): void {
  serve('readAccount', ({ caller }) => readAccount(deps, caller))
  serve('updateAccount', ({ caller, body }) => updateAccount(deps, caller, body))
  serve('changePassword', ({ caller, body }) => changePassword(deps, caller, body))
  serve('previewDeletion', ({ caller }) => previewDeletion(deps, caller))
  serve('deleteAccount', ({ caller, body }) => deleteAccount(deps, caller, body))
  serve('listSessions', ({ caller }) => listSessions(deps, caller))
  serve('endSession', ({ caller, params }) => endSession(deps, caller, params.sessionId))
  serve('endOtherSessions', ({ caller }) => endOtherSessions(deps, caller))
}
