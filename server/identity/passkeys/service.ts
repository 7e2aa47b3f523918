import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import {
  type Assertion,
  type CreationOptions,
  PASSKEYS_MAX,
  type Passkey,
  type RequestOptions,
} from '#contract/passkeys.ts'
import type { Schema } from '#server/database/rows.ts'
import type { PasskeyHolder, Passkeys } from '#server/identity/identity.ts'
import { AppError, conflict, notFound, notSignedIn } from '#server/platform/api/errors.ts'
import { enforceLimit, type Limit } from '#server/platform/limits/limits.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { CHALLENGE_MS, challengeExpired, challengeIn, createChallenges } from './challenges.ts'
import type { PasskeyEmails } from './emails.ts'
import type { RelyingParty } from './relying-party.ts'
import {
  deletePasskey,
  findByCredential,
  insertPasskey,
  listPasskeysOf,
  lockAccount,
  lockSession,
  type PasskeyRecord,
  recordUse,
  updatePasskeyName,
} from './store.ts'
import { ALGORITHMS, createVerification } from './verification.ts'

/** Rate limits of one network. */
const CALL_LIMITS = {
  begin: { name: 'passkey challenges', calls: 120, seconds: 60 },
  signIn: { name: 'passkey sign-ins', calls: 60, seconds: 60 },
} satisfies Record<string, Limit>

const SIGN_IN = 'sign in'

type Deps = {
  db: Kysely<Schema>
  secrets: Secrets
  relyingParty: RelyingParty
  rateLimit: boolean
  log: Logger
  clock: () => Date
  /** Undefined if this server sends no mail. */
  notices: PasskeyEmails | undefined
  /** Opens a session for a client; returns its id and its cookies. */
  openSession: (userId: string, client: FastifyRequest) => Promise<{ id: string; cookies: string[] }>
}

/** Sign-in with a passkey. The caller is not signed in. */
export type PasskeySignIn = {
  /** Returns the request options that a passkey signs. Throws `too_many_requests`. */
  begin(ip: string): Promise<RequestOptions>
  /** Opens a session and returns its cookies. Throws `passkey_refused`, `expired` or `too_many_requests`. */
  finish(credential: Assertion, client: FastifyRequest): Promise<string[]>
}

/** Creates the passkeys of the accounts of the local provider. */
export function createPasskeys(deps: Deps): Passkeys {
  const { db, relyingParty, clock, notices } = deps
  const challenges = createChallenges(deps)
  const present = (row: PasskeyRecord) => presentPasskey(row, relyingParty)
  const verification = createVerification(deps, challenges)
  return {
    list: async (subject) => (await listPasskeysOf(db, subject)).map(present),

    async begin(holder) {
      const known = await listPasskeysOf(db, holder.subject)
      if (known.length >= PASSKEYS_MAX) throw tooMany()
      const passkeyId = uuidv7()
      const challenge = challenges.create(addingOf(holder.subject, passkeyId))
      return { passkeyId, options: creationOptions(relyingParty, holder, known, challenge) }
    },

    async add({ subject, session }, passkeyId, { name, credential }) {
      const credentialId = Buffer.from(credential.id, 'base64url')
      const before = await findByCredential(db, credentialId)
      if (before?.id === passkeyId && before.user_id === subject) return present(before)
      const { publicKey, counter } = await verification.verifyNew(credential, addingOf(subject, passkeyId))
      const challenge = challengeIn(credential.response.clientDataJSON)
      const added = await db.transaction().execute(async (trx) => {
        // Whatever ends the session removes passkeys afterwards, so that none is added meanwhile.
        if (!(await lockSession(trx, session))) throw notSignedIn()
        await lockAccount(trx, subject)
        if (!(await challenges.redeem(trx, challenge))) throw challengeExpired()
        if ((await listPasskeysOf(trx, subject)).length >= PASSKEYS_MAX) throw tooMany()
        const row = await insertPasskey(trx, {
          id: passkeyId,
          user_id: subject,
          name,
          credential_id: credentialId,
          public_key: Buffer.from(publicKey),
          counter,
          transports: credential.response.transports ?? [],
          rp_id: relyingParty.id,
          created_at: clock(),
        })
        if (!row) throw conflict('This passkey is used on this server already')
        await notices?.add(trx, subject, 'added')
        return row
      })
      notices?.wake()
      return present(added)
    },

    async rename(subject, id, name) {
      const row = await updatePasskeyName(db, { id, userId: subject, name })
      if (!row) throw notFound('Passkey')
      return present(row)
    },

    async remove(subject, id) {
      await db.transaction().execute(async (trx) => {
        if (!(await deletePasskey(trx, { id, userId: subject }))) throw notFound('Passkey')
        await notices?.add(trx, subject, 'removed')
      })
      notices?.wake()
    },
  }
}

/** Creates the sign-in with the passkeys of the local provider. */
export function createPasskeySignIn(deps: Deps): PasskeySignIn {
  const { db, relyingParty, rateLimit, clock } = deps
  const challenges = createChallenges(deps)
  const verification = createVerification(deps, challenges)
  const limit = (name: keyof typeof CALL_LIMITS, ip: string) =>
    rateLimit ? enforceLimit(deps, CALL_LIMITS[name], ip) : undefined

  return {
    async begin(ip) {
      await limit('begin', ip)
      return {
        rpId: relyingParty.id,
        challenge: challenges.create(SIGN_IN),
        timeout: CHALLENGE_MS,
        userVerification: 'required',
      }
    },

    async finish(credential, client) {
      await limit('signIn', client.ip)
      const challenge = challengeIn(credential.response.clientDataJSON)
      if (!challenges.isValid(challenge, SIGN_IN)) throw challengeExpired()
      const row = await findByCredential(db, Buffer.from(credential.id, 'base64url'))
      if (!row) throw unknownPasskey()
      const counter = await verification.verifySigned(credential, row, SIGN_IN)
      const { userHandle } = credential.response
      if (userHandle && userHandle !== handleOf(row.user_id)) throw unknownPasskey()
      if (!(await challenges.redeem(db, challenge))) throw challengeExpired()
      const { id: session, cookies } = await deps.openSession(row.user_id, client)
      if (!(await recordUse(db, { id: row.id, session, counter, now: clock() }))) throw unknownPasskey()
      return cookies
    },
  }
}

/** The options by which a browser creates a passkey. Devices that have one of the `known` passkeys refuse to. */
function creationOptions(
  relyingParty: RelyingParty,
  { subject, email, name }: PasskeyHolder,
  known: PasskeyRecord[],
  challenge: string,
): CreationOptions {
  return {
    rp: { id: relyingParty.id, name: 'Milepost' },
    user: { id: handleOf(subject), name: email, displayName: name || email },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: known
      .filter(({ rp_id }) => rp_id === relyingParty.id)
      .map(({ credential_id, transports }) => ({
        type: 'public-key' as const,
        id: credential_id.toString('base64url'),
        transports,
      })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/** The user handle, by which devices distinguish accounts: the account id, which reveals nothing about the person. */
const handleOf = (subject: string) => Buffer.from(subject.replaceAll('-', ''), 'hex').toString('base64url')

/** The purpose of a challenge to add a passkey: one account and one passkey. */
const addingOf = (subject: string, passkeyId: string) => `add ${passkeyId} to ${subject}`

function presentPasskey(row: PasskeyRecord, { id }: RelyingParty): Passkey {
  return {
    _id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    ...(row.rp_id !== id && { formerDomain: row.rp_id }),
  }
}

const tooMany = () => conflict(`You have ${PASSKEYS_MAX} passkeys. Remove one that is not used.`)

const unknownPasskey = () =>
  new AppError(
    'passkey_refused',
    'This server does not know the passkey: it was removed, or it is of another account. Sign in another way.',
  )
