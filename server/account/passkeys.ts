import type { Calls } from '#contract/calls.ts'
import type { CallResponse } from '#contract/parts/call.ts'
import type { NewCredential, Passkey } from '#contract/passkeys.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Passkeys } from '#server/identity/identity.ts'
import { managedElsewhere } from '#server/identity/issuer-only.ts'
import type { Caller, Serve } from '#server/platform/api/calls.ts'
import { requireAccount } from './service.ts'

export function passkeyRoutes(serve: Serve, deps: AppDeps): void {
  serve('listPasskeys', ({ caller }) => listPasskeys(deps, caller))
  serve('beginPasskey', ({ caller }) => beginPasskey(deps, caller))
  serve('addPasskey', ({ caller, params, body }) => addPasskey(deps, caller, params.passkeyId, body))
  serve('renamePasskey', ({ caller, params, body }) =>
    renamePasskey(deps, caller, params.passkeyId, body.name),
  )
  serve('removePasskey', ({ caller, params }) => removePasskey(deps, caller, params.passkeyId))
}

/** Returns the caller's passkeys. */
async function listPasskeys(deps: AppDeps, caller: Caller): Promise<Passkey[]> {
  const { passkeys, subject } = await requirePasskeys(deps, caller)
  return passkeys.list(subject)
}

/** Begins to add a passkey. */
async function beginPasskey(deps: AppDeps, caller: Caller): Promise<CallResponse<Calls['beginPasskey']>> {
  const { passkeys, ...holder } = await requirePasskeys(deps, caller)
  return passkeys.begin(holder)
}

/** Adds the passkey that the caller's device created. */
async function addPasskey(
  deps: AppDeps,
  caller: Caller,
  passkeyId: string,
  fields: { name: string; credential: NewCredential },
): Promise<Passkey> {
  const { passkeys, subject, session } = await requirePasskeys(deps, caller)
  return passkeys.add({ subject, session }, passkeyId, fields)
}

async function renamePasskey(deps: AppDeps, caller: Caller, id: string, name: string): Promise<Passkey> {
  const { passkeys, subject } = await requirePasskeys(deps, caller)
  return passkeys.rename(subject, id, name)
}

/** Removes one of the caller's passkeys. Sessions that it opened remain, and are listed with the others. */
async function removePasskey(deps: AppDeps, caller: Caller, id: string): Promise<void> {
  const { passkeys, subject } = await requirePasskeys(deps, caller)
  await passkeys.remove(subject, id)
}

/** Throws `conflict` if this server has no passkeys, and `forbidden` if they are turned off. */
async function requirePasskeys(
  deps: AppDeps,
  caller: Caller,
): Promise<{ passkeys: Passkeys; subject: string; session: string | null; email: string; name: string }> {
  const { subject, provider_session: session, email, name } = await requireAccount(deps, caller)
  const { passkeys } = deps.identity
  if (!passkeys) throw managedElsewhere(deps.identity.options, 'This server has no passkeys')
  return { passkeys, subject, session, email, name }
}
