import { accessTokenCalls } from './access-tokens.ts'
import { accountCalls } from './account.ts'
import { activityCalls } from './activity.ts'
import { addressCalls } from './addresses.ts'
import { administrationCalls } from './administration.ts'
import { auditLogCalls } from './audit-log.ts'
import { bulkChangeCalls } from './bulk-changes.ts'
import { calendarCalls } from './calendar.ts'
import { collaboratorCalls } from './collaborators.ts'
import { draftCalls } from './drafts.ts'
import { entryCalls } from './entries.ts'
import { exportCalls } from './export.ts'
import { fileCalls } from './files.ts'
import { followerCalls } from './followers.ts'
import { historyCalls } from './history.ts'
import { identityCalls, type localProviderCalls } from './identity.ts'
import { importCalls } from './imports.ts'
import { milestoneCalls } from './milestones.ts'
import { notificationCalls } from './notifications.ts'
import type { CreatingName } from './parts/call.ts'
import { passkeyCalls, type passkeySignInCalls } from './passkeys.ts'
import { peopleCalls } from './people.ts'
import { permissionCalls } from './permissions.ts'
import { presenceCalls } from './presence.ts'
import { profileCalls } from './profiles.ts'
import { projectCalls } from './projects.ts'
import { proofCalls } from './proofs.ts'
import { reactionCalls } from './reactions.ts'
import { searchCalls } from './search.ts'
import { shareCalls } from './shares.ts'
import { statsCalls } from './stats.ts'
import { storyCalls } from './story.ts'
import { trashCalls } from './trash.ts'
import { twoFactorCalls } from './two-factor.ts'
import { watchingCalls } from './watching.ts'
import { webhookCalls } from './webhooks.ts'
import { worldCalls } from './world.ts'

/** Every call of the API. A new one is a row in its feature's table and a handler in `server/`. */
export const calls = {
  ...identityCalls,
  ...accountCalls,
  ...passkeyCalls,
  ...twoFactorCalls,
  ...proofCalls,
  ...accessTokenCalls,
  ...exportCalls,
  ...importCalls,
  ...administrationCalls,
  ...peopleCalls,
  ...auditLogCalls,
  ...statsCalls,
  ...searchCalls,
  ...calendarCalls,
  ...projectCalls,
  ...permissionCalls,
  ...worldCalls,
  ...storyCalls,
  ...milestoneCalls,
  ...entryCalls,
  ...bulkChangeCalls,
  ...historyCalls,
  ...draftCalls,
  ...fileCalls,
  ...collaboratorCalls,
  ...notificationCalls,
  ...watchingCalls,
  ...activityCalls,
  ...presenceCalls,
  ...trashCalls,
  ...webhookCalls,
  ...shareCalls,
  ...addressCalls,
  ...followerCalls,
  ...reactionCalls,
  ...profileCalls,
}

export type Calls = typeof calls
export type CallName = keyof Calls
/** The calls that create something with a secret, which a repetition does not return: a client creates another one then. */
type SecretCallName = 'createAccessToken' | 'createShareLink' | 'createWebhook'
/** The calls that create something, and can be repeated. */
export type CreatingCallName = Exclude<CreatingName<Calls>, SecretCallName>

/** The calls that a browser can make: those of the API and those of the local provider. */
export type ClientCalls = Calls & typeof localProviderCalls & typeof passkeySignInCalls
export type ClientCallName = keyof ClientCalls

/** The calls that change something and can be sent again: PUT and DELETE by definition of HTTP, and by the id of the change also these. */
export type ChangingCallName =
  | CreatingCallName
  | {
      [N in keyof ClientCalls]: ClientCalls[N] extends { method: 'PUT' | 'DELETE' } ? N : never
    }[keyof ClientCalls]
  | 'acceptInvitation'
  | 'declineInvitation'
  | 'restoreDeletion'
  | 'restoreRevision'
  | 'confirmEmailChange'
  | 'refuseEmailChange'
