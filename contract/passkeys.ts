import { z } from 'zod'
import { SIGN_IN_BYTES_MAX } from './identity.ts'
import { defineCalls } from './parts/call.ts'
import { line } from './parts/text.ts'
import { date, fields, id, ids } from './parts/wire.ts'

/** The maximum number of passkeys of an account. */
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 100

/** A WebAuthn credential, which replaces the password: the person's device holds its private key. */
export const passkey = z.object({
  _id: id,
  name: z.string(),
  createdAt: date,
  lastUsedAt: date.nullable(),
  /** The host that it was created for, if that is not the current one of this server; it cannot be used here. */
  formerDomain: z.string().optional(),
})
export type Passkey = z.infer<typeof passkey>

const name = line('Name', PASSKEY_NAME_MAX)

const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/, 'must be base64url')

/** The maximum length of a credential id: 1,023 bytes, in base64url. */
const credentialId = bytes(1364)

const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') }

/** A new credential, in the format of `PublicKeyCredential.toJSON`. */
export const newCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(8_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
export type NewCredential = z.infer<typeof newCredential>

/** A signed assertion, in the format of `PublicKeyCredential.toJSON`. */
export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(4_000),
    signature: bytes(2_000),
    userHandle: bytes(100).nullish(),
  }),
})
export type Assertion = z.infer<typeof assertion>

/** The options of `navigator.credentials.create`, in JSON. */
const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(
    z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) }),
  ),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type CreationOptions = z.infer<typeof creationOptions>

/** The options of `navigator.credentials.get`, in JSON. They name no credential: the device offers the ones that it has. */
export const requestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
})
export type RequestOptions = z.infer<typeof requestOptions>

export const passkeyCalls = defineCalls({
  listPasskeys: {
    method: 'GET',
    path: '/api/account/passkeys',
    who: 'signed-in',
    scope: 'none',
    summary: 'My passkeys, newest first',
    responses: { 200: z.array(passkey).max(PASSKEYS_MAX) },
  },
  beginPasskey: {
    method: 'POST',
    path: '/api/account/passkeys',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary: 'Start adding a passkey',
    responses: { 200: z.object({ passkeyId: id, options: creationOptions }) },
  },
  addPasskey: {
    method: 'PUT',
    path: '/api/account/passkeys/:passkeyId/credential',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary: 'Add the passkey that my device created; repeating the call changes nothing',
    params: ids('passkeyId'),
    body: fields({ name, credential: newCredential }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 200: passkey },
  },
  renamePasskey: {
    method: 'PUT',
    path: '/api/account/passkeys/:passkeyId',
    who: 'signed-in',
    scope: 'none',
    summary: 'Rename one of my passkeys',
    params: ids('passkeyId'),
    body: fields({ name }),
    responses: { 200: passkey },
  },
  removePasskey: {
    method: 'DELETE',
    path: '/api/account/passkeys/:passkeyId',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    summary: 'Remove one of my passkeys',
    params: ids('passkeyId'),
    responses: { 204: null },
  },
})

/** The calls of the local provider that sign in with a passkey. */
export const passkeySignInCalls = defineCalls({
  beginPasskeySignIn: {
    method: 'POST',
    path: '/api/auth/passkey/challenge',
    who: 'anyone',
    summary: 'A challenge that a passkey must sign within ten minutes',
    responses: { 200: requestOptions },
  },
  signInWithPasskey: {
    method: 'POST',
    path: '/api/auth/passkey/sign-in',
    who: 'anyone',
    summary: "Sign in with a passkey; sets a cookie with the provider's session",
    body: z.object({ credential: assertion }),
    bodyBytes: SIGN_IN_BYTES_MAX,
    responses: { 204: null },
  },
})
