import type { Logger } from 'pino'
import type { Assertion, NewCredential } from '#contract/passkeys.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { type Challenges, challengeExpired, challengeIn } from './challenges.ts'
import type { RelyingParty } from './relying-party.ts'
import type { PasskeyRecord } from './store.ts'

/** The accepted signature algorithms: Ed25519, ECDSA with SHA-256, and RSA for older Windows devices. */
export const ALGORITHMS = [-8, -7, -257]

/** Loaded with the first passkey: these are more than 300 modules, a seventh of those of a start. */
const loadVerifier = () => import('@simplewebauthn/server')

/** Verifies what passkeys sign for a relying party. `purpose` is that of the signed challenge. */
export function createVerification(
  { relyingParty, log }: { relyingParty: RelyingParty; log: Logger },
  challenges: Challenges,
) {
  const expectation = (purpose: string) => ({
    expectedChallenge: (challenge: string) => challenges.isValid(challenge, purpose),
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  })

  return {
    /** Verifies a new credential; throws `expired` or `invalid`. */
    async verifyNew(credential: NewCredential, purpose: string) {
      if (!challenges.isValid(challengeIn(credential.response.clientDataJSON), purpose))
        throw challengeExpired()
      try {
        const { verifyRegistrationResponse } = await loadVerifier()
        const { registrationInfo } = await verifyRegistrationResponse({
          response: { ...credential, response: responseOf(credential), clientExtensionResults: {} },
          ...expectation(purpose),
          supportedAlgorithmIDs: ALGORITHMS,
        })
        if (registrationInfo) return registrationInfo.credential
      } catch (error) {
        log.warn({ reason: String(error) }, 'a new passkey was refused')
      }
      throw new AppError('invalid', 'This passkey could not be verified. Please try again.')
    },

    /** Verifies the signature of a passkey, and returns its new counter; throws `passkey_refused`. */
    async verifySigned(credential: Assertion, row: PasskeyRecord, purpose: string): Promise<number> {
      try {
        const { verifyAuthenticationResponse } = await loadVerifier()
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: {
            ...credential,
            response: { ...credential.response, userHandle: credential.response.userHandle ?? undefined },
            clientExtensionResults: {},
          },
          ...expectation(purpose),
          credential: {
            id: row.credential_id.toString('base64url'),
            publicKey: new Uint8Array(row.public_key),
            counter: row.counter,
          },
        })
        if (verified) return authenticationInfo.newCounter
      } catch (error) {
        log.warn({ reason: String(error) }, 'a sign-in with a passkey was refused')
      }
      throw new AppError('passkey_refused', 'The passkey could not be verified. Please try again.')
    },
  }
}

/** The fields that the verification reads. It does not verify the transports. */
const responseOf = ({ response: { clientDataJSON, attestationObject } }: NewCredential) => ({
  clientDataJSON,
  attestationObject,
})
