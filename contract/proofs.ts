import { z } from 'zod'
import { enteredPassword, SIGN_IN_BYTES_MAX, secondFactorCode } from './identity.ts'
import { defineCalls } from './parts/call.ts'
import { assertion, requestOptions } from './passkeys.ts'

/**
 * How the person of a session can prove again who they are: as they sign in. `password_and_code`: two-step sign-in is on. `issuer`:
 * through Google or another issuer. `provider`: by signing in again at the hosted identity provider.
 */
export const proofMethod = z.enum(['password', 'password_and_code', 'passkey', 'issuer', 'provider'])
export type ProofMethod = z.infer<typeof proofMethod>

/** The code is required if two-step sign-in is on. */
export const passwordProof = z.object({
  currentPassword: enteredPassword,
  code: secondFactorCode.optional(),
})
export type PasswordProof = z.infer<typeof passwordProof>

/** The request options of the passkeys of one account. */
export const proofRequestOptions = requestOptions.extend({
  allowCredentials: z.array(
    z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) }),
  ),
})
export type ProofRequestOptions = z.infer<typeof proofRequestOptions>

/** The calls by which people prove again who they are, before a call with `needsProof`. */
export const proofCalls = defineCalls({
  listProofMethods: {
    method: 'GET',
    path: '/api/account/proof',
    who: 'signed-in',
    scope: 'none',
    summary: 'How I can prove that it is me; empty if nothing that I sign in with works any more',
    responses: { 200: z.object({ methods: z.array(proofMethod) }) },
  },
  proveByPassword: {
    method: 'POST',
    path: '/api/account/proof/password',
    who: 'signed-in',
    scope: 'none',
    summary: 'Prove that it is me with my password and, with two-step sign-in, a code; valid for ten minutes',
    body: passwordProof,
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
  beginPasskeyProof: {
    method: 'POST',
    path: '/api/account/proof/passkey/challenge',
    who: 'signed-in',
    scope: 'none',
    summary: 'A challenge that one of my passkeys must sign within ten minutes',
    responses: { 200: proofRequestOptions },
  },
  proveByPasskey: {
    method: 'POST',
    path: '/api/account/proof/passkey',
    who: 'signed-in',
    scope: 'none',
    summary: 'Prove that it is me with one of my passkeys; valid for ten minutes',
    body: z.object({ credential: assertion }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
})
