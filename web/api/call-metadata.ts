import type { Call } from '#contract/call.ts'
import { type ClientCallName, calls } from '#contract/calls.ts'
import { localProviderCalls } from '#contract/identity.ts'
import { passkeySignInCalls } from '#contract/passkeys.ts'

/** What it takes to send a call: of its row in the contract neither the schemas nor what is the same for most. */
export type CallMetadata = Pick<Call, 'method' | 'path' | 'multipart'> & { forAnyone?: true }

/** The metadata of every call. The build replaces this file by the result, so that browsers need no zod for it. */
export const callMetadata = Object.fromEntries(
  Object.entries<Call>({ ...calls, ...localProviderCalls, ...passkeySignInCalls }).map(
    ([name, { method, path, who, multipart }]) => [
      name,
      { method, path, ...(who === 'anyone' && { forAnyone: true }), ...(multipart && { multipart }) },
    ],
  ),
) as Record<ClientCallName, CallMetadata>
