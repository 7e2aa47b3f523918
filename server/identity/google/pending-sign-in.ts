import { createHash, hkdfSync } from 'node:crypto'
import { parseCookies } from 'better-auth/cookies'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import type { Kysely } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { Secret } from '#server/identity/secrets.ts'
import { insertRedeemed } from './store.ts'

/** The state of a sign-in while the person is at the issuer. It is in an encrypted cookie, so only that browser can finish it. */
export type PendingSignIn = {
  state: string
  nonce: string
  verifier: string
  /** The name by which the page that opened the window recognizes it. */
  window: string
}

const LIFETIME_SECONDS = 10 * 60
/** Longer than a sign-in may take, so that a server with a slow clock does not accept one twice. */
const REDEEMED_MS = 60 * 60_000
const PATH = '/api/auth/google'

export type PendingSignIns = ReturnType<typeof createPendingSignIns>

/** Stores pending sign-ins in an encrypted cookie that scripts cannot read, for ten minutes. */
export function createPendingSignIns({ db, secret, secure, clock }: Settings) {
  const name = secure ? '__Secure-milepost.google' : 'milepost.google'
  const attributes = `Path=${PATH}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  const key = new Uint8Array(hkdfSync('sha256', secret.providerKey, 'milepost', 'round trips', 32))

  return {
    /** Returns the cookie of a pending sign-in. */
    async store(pending: PendingSignIn): Promise<string> {
      const now = Math.floor(clock().getTime() / 1000)
      const sealed = await new EncryptJWT(pending)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(now + LIFETIME_SECONDS)
        .encrypt(key)
      return `${name}=${sealed}; Max-Age=${LIFETIME_SECONDS}; ${attributes}`
    },

    /** Returns the pending sign-in of the cookies; null where there is none, it has expired, or we did not make it. */
    async find(cookies: string | undefined): Promise<PendingSignIn | null> {
      const sealed = parseCookies(cookies ?? '').get(name)
      if (!sealed) return null
      try {
        const { payload } = await jwtDecrypt<PendingSignIn>(sealed, key, {
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

    /** Redeems a pending sign-in; returns false where it was redeemed before, in this process or another. */
    redeem({ state }: PendingSignIn): Promise<boolean> {
      const forgetAt = new Date(clock().getTime() + REDEEMED_MS)
      return insertRedeemed(db, { stateHash: createHash('sha256').update(state).digest('hex'), forgetAt })
    },

    /** Returns the cookie that deletes it. */
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  }
}

type Settings = { db: Kysely<Schema>; secret: Secret; secure: boolean; clock: () => Date }
