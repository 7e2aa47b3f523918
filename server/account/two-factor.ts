import type { AppDeps } from '#server/deps.ts'
import type { TwoFactor } from '#server/identity/identity.ts'
import { managedElsewhere } from '#server/identity/issuer-only.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict } from '#server/platform/api/errors.ts'
import { requireAccount } from './service.ts'

/** Returns a secret for the caller's authenticator app. */
export async function beginTwoFactor(
  deps: AppDeps,
  caller: Caller,
): Promise<{ secret: string; url: string }> {
  const { twoFactor, account } = await requireTwoFactor(deps, caller)
  return twoFactor.begin(account.subject)
}

/** Turns two-step sign-in on with a code of the secret, and ends all other sessions. Returns the recovery codes. */
export async function turnOnTwoFactor(
  deps: AppDeps,
  caller: Caller,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  const { twoFactor, account } = await requireTwoFactor(deps, caller)
  return { recoveryCodes: await twoFactor.turnOn(account, code) }
}

/** Turns two-step sign-in off, and ends all other sessions. */
export async function turnOffTwoFactor(deps: AppDeps, caller: Caller): Promise<void> {
  const { twoFactor, account } = await requireTwoFactor(deps, caller)
  await twoFactor.turnOff(account)
}

/** Creates new recovery codes. */
export async function makeRecoveryCodes(deps: AppDeps, caller: Caller): Promise<{ recoveryCodes: string[] }> {
  const { twoFactor, account } = await requireTwoFactor(deps, caller)
  return { recoveryCodes: await twoFactor.renewRecoveryCodes(account) }
}

/** Throws `conflict` if the account has no local password and therefore no second factor. */
async function requireTwoFactor(
  deps: AppDeps,
  caller: Caller,
): Promise<{ twoFactor: TwoFactor; account: { subject: string; session: string | null } }> {
  const { subject, provider_session: session } = await requireAccount(deps, caller)
  const { passwords, twoFactor } = deps.identity
  if (!passwords || !twoFactor)
    throw managedElsewhere(
      deps.identity.options,
      'Two-step sign-in is managed by the identity provider of this server',
    )
  if (!(await passwords.isSet(subject))) throw conflict('This account has no password')
  return { twoFactor, account: { subject, session } }
}
