import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Assertion } from '#contract/passkeys.ts'
import type { ProofRequestOptions } from '#contract/proofs.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AccountSession } from '#server/identity/identity.ts'
import { conflict } from '#server/platform/api/errors.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { CHALLENGE_MS, challengeExpired, challengeIn, createChallenges } from './challenges.ts'
import type { RelyingParty } from './relying-party.ts'
import { findByCredential, listPasskeysOf, recordUse } from './store.ts'
import { createVerification } from './verification.ts'

type Deps = {
  db: Kysely<Schema>
  secrets: Secrets
  relyingParty: RelyingParty
  log: Logger
  clock: () => Date
}

/** Proofs by a passkey that the owner of an account is at its session. */
export type PasskeyProofs = ReturnType<typeof createPasskeyProofs>

export function createPasskeyProofs(deps: Deps) {
  const { db, relyingParty, clock } = deps
  const challenges = createChallenges(deps)
  const verification = createVerification(deps, challenges)
  const listUsable = async (subject: string) =>
    (await listPasskeysOf(db, subject)).filter(({ rp_id }) => rp_id === relyingParty.id)

  return {
    has: async (subject: string) => (await listUsable(subject)).length > 0,

    /** Returns what one of the account's passkeys signs. Throws `conflict` if it has none for this host. */
    async begin({ subject, session }: AccountSession): Promise<ProofRequestOptions> {
      const known = await listUsable(subject)
      if (known.length === 0) throw conflict('This account has no passkey')
      return {
        rpId: relyingParty.id,
        challenge: challenges.create(provingIn(session)),
        timeout: CHALLENGE_MS,
        userVerification: 'required',
        allowCredentials: known.map(({ credential_id, transports }) => ({
          type: 'public-key',
          id: credential_id.toString('base64url'),
          transports,
        })),
      }
    },

    /** Throws `expired`, or `conflict` if no passkey of the account has signed. */
    async verify({ subject, session }: AccountSession, credential: Assertion): Promise<void> {
      const challenge = challengeIn(credential.response.clientDataJSON)
      if (!challenges.isValid(challenge, provingIn(session))) throw challengeExpired()
      const row = await findByCredential(db, Buffer.from(credential.id, 'base64url'))
      if (row?.user_id !== subject) throw refused()
      const counter = await verification.verifySigned(credential, row, provingIn(session)).catch(() => {
        throw refused()
      })
      if (!(await challenges.redeem(db, challenge))) throw challengeExpired()
      if (!(await recordUse(db, { id: row.id, session: null, counter, now: clock() }))) throw refused()
    },
  }
}

/** The purpose of a challenge to prove in a session who its person is. */
const provingIn = (session: string | null) => `prove in ${session}`

/** Not `passkey_refused`: clients would treat its status as an expired session. */
const refused = () => conflict('The passkey could not be verified. Please try again, or use another way.')
