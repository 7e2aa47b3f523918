import type { ProofMethod } from '#contract/proofs.ts'
import type { AppDeps } from '#server/deps.ts'
import type { AccountSession, Proofs } from '#server/identity/identity.ts'
import { managedElsewhere } from '#server/identity/issuer-only.ts'
import type { Caller, Serve } from '#server/platform/api/calls.ts'
import { requireAccount } from './service.ts'

/** A hosted provider authenticates people again itself; the next exchange of an ID token has the proof. */
const HOSTED: ProofMethod[] = ['provider']

/** Serves the calls by which people prove again who they are. */
export function proofRoutes(serve: Serve, deps: AppDeps): void {
  serve('listProofMethods', async ({ caller }) => {
    const { subject } = await requireAccount(deps, caller)
    const { proofs } = deps.identity
    return { methods: (await proofs?.list(subject)) ?? HOSTED }
  })
  serve('proveByPassword', async ({ caller, body }) => {
    const { proofs, account } = await requireProofs(deps, caller)
    await proofs.byPassword(account, body, caller.network ?? caller.userId)
  })
  serve('beginPasskeyProof', async ({ caller }) => {
    const { proofs, account } = await requireProofs(deps, caller)
    return proofs.beginPasskey(account)
  })
  serve('proveByPasskey', async ({ caller, body }) => {
    const { proofs, account } = await requireProofs(deps, caller)
    await proofs.byPasskey(account, body.credential)
  })
}

/** Throws `conflict` if a hosted provider authenticates people, and `forbidden` if only an issuer does. */
async function requireProofs(
  deps: AppDeps,
  caller: Caller,
): Promise<{ proofs: Proofs; account: AccountSession }> {
  const { subject, provider_session: session } = await requireAccount(deps, caller)
  const { proofs } = deps.identity
  const { options } = deps.identity
  if (!proofs || options.issuerOnly)
    throw managedElsewhere(options, 'People prove who they are at the identity provider of this server')
  return { proofs, account: { subject, session } }
}
