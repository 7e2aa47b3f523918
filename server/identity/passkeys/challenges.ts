import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '#server/database/rows.ts'
import { AppError } from '#server/platform/api/errors.ts'
import type { Secret, Secrets } from '#server/platform/secrets.ts'
import { insertRedeemed } from './store.ts'

/** The lifetime of a challenge. */
export const CHALLENGE_MS = 10 * 60_000
/** Longer than a challenge is valid, so that clock skew does not accept one twice. */
const REDEEMED_MS = 60 * 60_000

const NONCE_BYTES = 16
const TIME_BYTES = 8

/** The purpose of a challenge, the only one for which it is valid: signing in, or adding a passkey to an account. */
type Purpose = string

/**
 * The challenges that passkeys sign. They contain their expiry and a MAC, so that opening the sign-in screen writes nothing.
 * Only signed challenges are recorded, and each is accepted once.
 */
export function createChallenges({ secrets, clock }: { secrets: Secrets; clock: () => Date }) {
  const known = [secrets.current, secrets.previous].filter((secret) => secret !== null).map(keyOf)

  return {
    /** Returns a new challenge, in base64url. */
    create(purpose: Purpose): string {
      const time = Buffer.alloc(TIME_BYTES)
      time.writeBigUInt64BE(BigInt(clock().getTime() + CHALLENGE_MS))
      const head = Buffer.concat([randomBytes(NONCE_BYTES), time])
      return Buffer.concat([head, codeOf(keyOf(secrets.current), head, purpose)]).toString('base64url')
    },

    /** Returns whether this server created the challenge for the purpose and it has not expired. */
    isValid(challenge: string, purpose: Purpose): boolean {
      const bytes = Buffer.from(challenge, 'base64url')
      const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES)
      const code = bytes.subarray(head.length)
      const isOurs = known.some((key) => {
        const expected = codeOf(key, head, purpose)
        return code.length === expected.length && timingSafeEqual(code, expected)
      })
      return isOurs && head.readBigUInt64BE(NONCE_BYTES) > BigInt(clock().getTime())
    },

    /** Redeems a challenge; returns false if any process redeemed it before. */
    redeem(db: Db, challenge: string): Promise<boolean> {
      const forgetAt = new Date(clock().getTime() + REDEEMED_MS)
      const challengeHash = createHash('sha256').update(`passkey ${challenge}`).digest('hex')
      return insertRedeemed(db, { challengeHash, forgetAt })
    },
  }
}

export type Challenges = ReturnType<typeof createChallenges>

/** The challenge of a call has expired, or was used. */
export const challengeExpired = () => new AppError('expired', 'That took too long. Please try again.')

const keyOf = ({ providerKey }: Secret) =>
  Buffer.from(hkdfSync('sha256', providerKey, 'milepost', 'challenges of passkeys', 32))

const codeOf = (key: Buffer, head: Buffer, purpose: Purpose) =>
  createHmac('sha256', key).update(head).update(purpose).digest()

/** Returns the signed challenge according to the browser; empty if there is none. */
export function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as {
      challenge?: unknown
    }
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    // Not JSON, so there is no challenge to verify the signature with.
    return ''
  }
}
