import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '#server/database/rows.ts'
import type { Secret, Secrets } from '#server/identity/secrets.ts'
import { insertRedeemed } from './store.ts'

/** How long somebody may take until their device has signed. */
export const CHALLENGE_MS = 10 * 60_000
/** Longer than a challenge is valid, so that a server with a slow clock does not accept one twice. */
const REDEEMED_MS = 60 * 60_000

const NONCE_BYTES = 16
const TIME_BYTES = 8

/** What a challenge is for, and for nothing else: signing in, or adding a passkey to an account. */
type Purpose = string

/**
 * The challenges that passkeys sign. They carry their own end and a code of ours, so that a visit of the sign-in screen
 * writes nothing; only those that were signed are recorded, and accepted once.
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

    /** Whether this server made a challenge for the purpose, and it is still valid. */
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

    /** Redeems a challenge; returns false where it was redeemed before, in this process or another. */
    redeem(db: Db, challenge: string): Promise<boolean> {
      const forgetAt = new Date(clock().getTime() + REDEEMED_MS)
      const challengeHash = createHash('sha256').update(`passkey ${challenge}`).digest('hex')
      return insertRedeemed(db, { challengeHash, forgetAt })
    },
  }
}

const keyOf = ({ providerKey }: Secret) =>
  Buffer.from(hkdfSync('sha256', providerKey, 'milepost', 'challenges of passkeys', 32))

const codeOf = (key: Buffer, head: Buffer, purpose: Purpose) =>
  createHmac('sha256', key).update(head).update(purpose).digest()

/** Returns the challenge that the browser says was signed; empty where it says none. */
export function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as {
      challenge?: unknown
    }
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    // Not JSON: the signature would not be checked against anything.
    return ''
  }
}
