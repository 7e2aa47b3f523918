import { accessTokenCalls } from '#contract/access-tokens.ts'
import { accountCalls } from '#contract/account.ts'
import { activityCalls } from '#contract/activity.ts'
import { administrationCalls } from '#contract/administration.ts'
import { auditLogCalls } from '#contract/audit-log.ts'
import { calendarCalls } from '#contract/calendar.ts'
import { type ClientCallName, calls } from '#contract/calls.ts'
import { exportCalls } from '#contract/export.ts'
import { historyCalls } from '#contract/history.ts'
import { localProviderCalls } from '#contract/identity.ts'
import { importCalls } from '#contract/imports.ts'
import type { Call } from '#contract/parts/call.ts'
import { passkeyCalls, passkeySignInCalls } from '#contract/passkeys.ts'
import { peopleCalls } from '#contract/people.ts'
import { proofCalls } from '#contract/proofs.ts'
import { searchCalls } from '#contract/search.ts'
import { trashCalls } from '#contract/trash.ts'
import { twoFactorCalls } from '#contract/two-factor.ts'
import { webhookCalls } from '#contract/webhooks.ts'
import { worldCalls } from '#contract/world.ts'

/** The metadata for sending a call: its row in the contract without the schemas and the most common values. */
export type CallMetadata = Pick<Call, 'method' | 'path' | 'multipart'> & { forAnyone?: true }

/** The dashboard makes only this one of them. */
const { listOnThisDay: _, ...laterCalendarCalls } = calendarCalls

/** The calls of rarely opened screens, whose metadata is fetched with the first of them. */
const laterCalls = {
  ...accessTokenCalls,
  ...accountCalls,
  ...activityCalls,
  ...administrationCalls,
  ...peopleCalls,
  ...auditLogCalls,
  ...laterCalendarCalls,
  ...exportCalls,
  ...historyCalls,
  ...importCalls,
  ...passkeyCalls,
  ...passkeySignInCalls,
  ...proofCalls,
  ...searchCalls,
  ...trashCalls,
  ...twoFactorCalls,
  ...webhookCalls,
  ...worldCalls,
}

/** The metadata by the name of the call. */
type Metadata = { readonly [name in ClientCallName]?: CallMetadata }

const all = Object.entries<Call>({ ...calls, ...localProviderCalls, ...passkeySignInCalls }).map(
  ([name, { method, path, who, multipart }]) =>
    [
      name,
      { method, path, ...(who === 'anyone' && { forAnyone: true }), ...(multipart && { multipart }) },
    ] as [string, CallMetadata],
)

/** The build replaces this file and `later-call-metadata.ts` by the result, so that browsers need no zod for it. */
export const callMetadata: Metadata = Object.fromEntries(all.filter(([name]) => !(name in laterCalls)))

/** As `callMetadata`; only `later-call-metadata.ts` imports it. */
export const laterCallMetadata: Metadata = Object.fromEntries(all.filter(([name]) => name in laterCalls))
