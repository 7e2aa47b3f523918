import { createHash, hkdfSync } from 'node:crypto'
import { parseCookies } from 'better-auth/cookies'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import type { Kysely } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { Secret } from '#server/identity/secrets.ts'
import { insertRedeemed } from './store.ts'

/** What a browser keeps, sealed, while somebody is at the issuer: only it can bring the answer back. */
export type RoundTrip = {
  state: string
  nonce: string
  verifier: string
  /** What the page that opened the window knows it by. */
  window: string
}

const LIFETIME_SECONDS = 10 * 60
/** Longer than a round trip is good for, so that no server whose clock runs late takes one twice. */
const REMEMBERED_MS = 60 * 60_000
const PATH = '/api/auth/google'

export type RoundTrips = ReturnType<typeof createRoundTrips>

/** Keeps round trips in a cookie that scripts cannot read, encrypted, for ten minutes. */
export function createRoundTrips({ db, secret, secure, clock }: Settings) {
  const name = secure ? '__Secure-milepost.google' : 'milepost.google'
  const attributes = `Path=${PATH}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  const key = new Uint8Array(hkdfSync('sha256', secret.providerKey, 'milepost', 'round trips', 32))

  return {
    /** The cookie that keeps a round trip. */
    async keep(trip: RoundTrip): Promise<string> {
      const now = Math.floor(clock().getTime() / 1000)
      const sealed = await new EncryptJWT(trip)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(now + LIFETIME_SECONDS)
        .encrypt(key)
      return `${name}=${sealed}; Max-Age=${LIFETIME_SECONDS}; ${attributes}`
    },

    /** The round trip that this browser is on; null where there is none, or none of ours in its time. */
    async find(cookies: string | undefined): Promise<RoundTrip | null> {
      const sealed = parseCookies(cookies ?? '').get(name)
      if (!sealed) return null
      try {
        const { payload } = await jwtDecrypt<RoundTrip>(sealed, key, {
          contentEncryptionAlgorithms: ['A256GCM'],
          keyManagementAlgorithms: ['dir'],
          requiredClaims: ['exp'],
          currentDate: clock(),
        })
        return payload
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },

    /** Ends a round trip; false where it was ended before, in this process or another. */
    redeem({ state }: RoundTrip): Promise<boolean> {
      const forgetAt = new Date(clock().getTime() + REMEMBERED_MS)
      return insertRedeemed(db, { stateHash: createHash('sha256').update(state).digest('hex'), forgetAt })
    },

    /** The cookie that ends it. */
    drop: () => `${name}=; Max-Age=0; ${attributes}`,
  }
}

type Settings = { db: Kysely<Schema>; secret: Secret; secure: boolean; clock: () => Date }
