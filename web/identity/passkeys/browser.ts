import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '#contract/passkeys.ts'

/** Thrown if a passkey dialog ended without a passkey: the person canceled, took too long, or has none here. */
export class NoPasskey extends Error {
  override name = 'NoPasskey'
}

/** Thrown if the device already has a passkey of this account. */
export class KnownDevice extends Error {
  override name = 'KnownDevice'
}

/** Creates a passkey on the device. Throws NoPasskey or KnownDevice. */
export async function createPasskey(optionsJSON: CreationOptions): Promise<NewCredential> {
  try {
    const { id, rawId, type, response } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports } = response
    return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
  } catch (error) {
    throw errorOf(error)
  }
}

/** Signs in with a passkey; with `autofill`, once the person chooses it among the suggestions of a field. Throws NoPasskey. */
export async function signWithPasskey(
  optionsJSON: RequestOptions,
  { autofill = false } = {},
): Promise<Assertion> {
  try {
    const { id, rawId, type, response } = await startAuthentication({
      optionsJSON,
      useBrowserAutofill: autofill,
    })
    const { clientDataJSON, authenticatorData, signature, userHandle } = response
    return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } }
  } catch (error) {
    throw errorOf(error)
  }
}

/** Whether this browser suggests passkeys in fields. */
export const suggestsPasskeys = browserSupportsWebAuthnAutofill

/** Cancels the suggestions or the open dialog. */
export const cancelPasskeyRequest = () => WebAuthnAbortService.cancelCeremony()

const ENDINGS = new Set(['NotAllowedError', 'AbortError'])

function errorOf(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause
  if (ENDINGS.has(cause.name)) return new NoPasskey('no passkey was used', { cause })
  if (cause.name === 'InvalidStateError') return new KnownDevice('there is a passkey already', { cause })
  return cause
}
