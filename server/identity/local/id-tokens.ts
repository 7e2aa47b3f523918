import {
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { DAY_MS } from '#contract/parts/durations.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Claims } from '#server/identity/identity.ts'
import { notSignedIn } from '#server/platform/api/errors.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createTokenCipher, type TokenCipher } from '#server/platform/token-cipher.ts'
import { type BrowserSession, insertSigningKey, listSigningKeys, type SigningKey } from './store.ts'

export const ISSUER = 'urn:milepost:local'
export const AUDIENCE = 'milepost'
export const ALGORITHM = 'ES256'

const LIFETIME_S = 10 * 60
/** A key signs for this time; for another day, what it has signed is accepted. */
const SIGNS_MS = 30 * DAY_MS

type Deps = { db: Kysely<Schema>; secrets: Secrets; clock: () => Date }

/** The tokens by which a session of the local provider is exchanged for one of the application. */
export type IdTokens = Awaited<ReturnType<typeof createIdTokens>>

/** Creates the first signing key too, so that concurrent sign-ins do not create several. */
export async function createIdTokens({ db, secrets, clock }: Deps) {
  const cipher = createTokenCipher(secrets)

  async function signingKey() {
    const now = clock()
    return findSigningKey(await listSigningKeys(db, now), cipher) ?? createSigningKey(db, cipher, now)
  }

  await signingKey()
  return {
    /** Returns a token for the person of a session, valid for ten minutes. */
    async sign({ id, person }: BrowserSession): Promise<string> {
      const { kid, jwk } = await signingKey()
      const issuedAt = Math.floor(clock().getTime() / 1000)
      return new SignJWT({
        email: person.email,
        email_verified: person.emailVerified,
        name: person.name,
        picture: person.image ?? undefined,
        sid: id,
      })
        .setProtectedHeader({ alg: ALGORITHM, kid })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(person.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + LIFETIME_S)
        .sign(await importJWK(jwk, ALGORITHM))
    },

    /** Returns the claims of a token. Throws `not_signed_in`. */
    async verify(token: string): Promise<Claims> {
      const accepted = await listSigningKeys(db, new Date(clock().getTime() - DAY_MS))
      try {
        const { payload } = await jwtVerify<Payload>(
          token,
          createLocalJWKSet({ keys: accepted.map(publicJwk) }),
          {
            algorithms: [ALGORITHM],
            issuer: ISSUER,
            audience: AUDIENCE,
            requiredClaims: ['sub', 'sid', 'iat', 'exp'],
            currentDate: clock(),
          },
        )
        return {
          issuer: ISSUER,
          subject: payload.sub,
          email: payload.email,
          emailVerified: payload.email_verified,
          name: payload.name,
          picture: payload.picture ?? null,
          session: payload.sid,
          provenAt: null,
        }
      } catch (error) {
        if (error instanceof errors.JOSEError) throw notSignedIn()
        throw error
      }
    },
  }
}

type Payload = {
  sub: string
  email: string
  email_verified: boolean
  name: string
  picture?: string
  sid: string
}

export const publicJwk = ({ id, publicKey }: SigningKey): JWK => ({
  ...(JSON.parse(publicKey) as JWK),
  alg: ALGORITHM,
  kid: id,
})

/**
 * Returns the first key that signs. One that none of our secrets decrypts, because the secret was replaced or differs on another
 * replica, or an earlier version has encrypted it, only verifies.
 */
export function findSigningKey(
  keys: readonly SigningKey[],
  cipher: TokenCipher,
): { kid: string; jwk: JWK } | undefined {
  for (const { id, privateKey } of keys) {
    const sealed = Buffer.from(JSON.parse(privateKey) as string, 'base64')
    const jwk = cipher.decrypt(sealed, id)
    if (jwk !== null) return { kid: id, jwk: JSON.parse(jwk) as JWK }
  }
  return undefined
}

async function createSigningKey(db: Kysely<Schema>, cipher: TokenCipher, now: Date) {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const id = uuidv7()
  const jwk = await exportJWK(pair.privateKey)
  await insertSigningKey(db, {
    id,
    publicKey: JSON.stringify(await exportJWK(pair.publicKey)),
    privateKey: JSON.stringify(cipher.encrypt(JSON.stringify(jwk), id).toString('base64')),
    createdAt: now,
    expiresAt: new Date(now.getTime() + SIGNS_MS),
  })
  return { kid: id, jwk }
}
