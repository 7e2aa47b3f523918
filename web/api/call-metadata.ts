import { type ClientCallName, calls } from '#contract/calls.ts'
import { localProviderCalls } from '#contract/identity.ts'
import type { Call } from '#contract/parts/call.ts'
import { passkeySignInCalls } from '#contract/passkeys.ts'

/** The metadata for sending a call: its row in the contract without the schemas and the most common values. */
export type CallMetadata = Pick<Call, 'method' | 'path' | 'multipart'> & { forAnyone?: true }

const all = Object.entries<Call>({ ...calls, ...localProviderCalls, ...passkeySignInCalls }).map(
  ([name, { method, path, who, multipart }]) =>
    [
      name,
      { method, path, ...(who === 'anyone' && { forAnyone: true }), ...(multipart && { multipart }) },
    ] as [string, CallMetadata],
)

/** The metadata by the name of the call. The build replaces this file by the result, so that browsers need no zod for it. */
export const callMetadata = Object.fromEntries(all) as { readonly [name in ClientCallName]: CallMetadata }
