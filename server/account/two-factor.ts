import type { AppDeps } from '#server/deps.ts'
import type { TwoFactor } from '#server/identity/identity.ts'
import { managedElsewhere } from '#server/identity/issuer-only.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { requireAccount } from './service.ts'

type Proof = { currentPassword: string; code: string }

/** Returns a secret for the caller's authenticator app. Requires the password. */
export async function beginTwoFactor(
  deps: AppDeps,
  caller: Caller,
  currentPassword: string,
): Promise<{ secret: string; url: string }> {
  const { twoFactor, account } = await requireTwoFactor(deps, caller, currentPassword)
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

/** Turns two-step sign-in off, and ends all other sessions. Requires the password and a code. */
export async function turnOffTwoFactor(
  deps: AppDeps,
  caller: Caller,
  { currentPassword, code }: Proof,
): Promise<void> {
  const { twoFactor, account } = await requireTwoFactor(deps, caller, currentPassword)
  await twoFactor.turnOff(account, code)
}

/** Creates new recovery codes. Requires the password and a code. */
export async function makeRecoveryCodes(
  deps: AppDeps,
  caller: Caller,
  { currentPassword, code }: Proof,
): Promise<{ recoveryCodes: string[] }> {
  const { twoFactor, account } = await requireTwoFactor(deps, caller, currentPassword)
  return { recoveryCodes: await twoFactor.renewRecoveryCodes(account, code) }
}

/** Throws `conflict` if the account has no local password and therefore no second factor; `invalid` for a wrong password. */
async function requireTwoFactor(
  deps: AppDeps,
  caller: Caller,
  currentPassword?: string,
): Promise<{ twoFactor: TwoFactor; account: { subject: string; session: string | null } }> {
  const { subject, provider_session: session } = await requireAccount(deps, caller)
  const { passwords, twoFactor } = deps.identity
  if (!passwords || !twoFactor)
    throw managedElsewhere(
      deps.identity.options,
      'Two-step sign-in is managed by the identity provider of this server',
    )
  if (currentPassword !== undefined) await passwords.verify(subject, currentPassword)
  return { twoFactor, account: { subject, session } }
}
