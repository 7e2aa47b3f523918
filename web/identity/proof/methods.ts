import type { PasswordProof } from '#contract/proofs.ts'
import { ISSUER_PROOF } from '#contract/sign-in.ts'
import { request } from '#web/api/client.ts'
import { openIssuerPopup } from '#web/identity/issuer-popup.ts'
import { signWithPasskey } from '#web/identity/passkeys/browser.ts'
import { IssuerFailure } from '#web/identity/provider.ts'

/** How the signed-in person can prove who they are. Each resolves once they have, and throws ApiError, IssuerFailure or NoPasskey. */
export type ProofMethods = {
  password?: { needsCode: boolean; prove: (proof: PasswordProof) => Promise<void> }
  passkey?: () => Promise<void>
  /** Opens a popup, so it must be called within the click event. */
  issuer?: () => Promise<void>
}

/** Returns the methods of an account of this server; none if nothing that it signs in with works any more. */
export async function localMethods(): Promise<ProofMethods> {
  const { methods } = await request('listProofMethods', {})
  const needsCode = methods.includes('password_and_code')
  return {
    ...((needsCode || methods.includes('password')) && {
      password: { needsCode, prove: (body: PasswordProof) => request('proveByPassword', { body }) },
    }),
    ...(methods.includes('passkey') && { passkey: proveByPasskey }),
    ...(methods.includes('issuer') && { issuer: proveByIssuer }),
  }
}

async function proveByPasskey() {
  const credential = await signWithPasskey(await request('beginPasskeyProof', {}))
  await request('proveByPasskey', { body: { credential } })
}

async function proveByIssuer() {
  const outcome = await openIssuerPopup(ISSUER_PROOF)
  if (outcome !== 'proven') throw new IssuerFailure(outcome === 'signed-in' ? 'failed' : outcome)
}
