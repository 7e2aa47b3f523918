import { randomInt } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import { Secret as OtpSecret, TOTP } from 'otpauth'
import { RECOVERY_CODES } from '#contract/two-factor.ts'
import type { HashCost } from '#server/identity/local/hashing.ts'
import type { Secret, Secrets } from '#server/platform/secrets.ts'

const PERIOD_SECONDS = 30
const SECRET_BYTES = 20

/** The number of time steps before and after the current one whose codes are accepted, to allow for clock skew. */
const DRIFT_STEPS = 1

/** Returns a new secret for an authenticator app, in base32. */
export const createSecret = (): string => new OtpSecret({ size: SECRET_BYTES }).base32

/** Returns the URL that an authenticator app reads from a QR code. */
export function otpUrl(secret: string, { email, host }: { email: string; host: string }): string {
  return new TOTP({ issuer: `Milepost (${host})`, label: email, ...optionsOf(secret) }).toString()
}

/** Returns the time step of a code, counted from 1970; null if the code matches no step near `now`. */
export function timeStepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime()
  const drift = new TOTP(optionsOf(secret)).validate({ token: code, timestamp, window: DRIFT_STEPS })
  return drift === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + drift
}

const optionsOf = (secret: string) => ({
  secret: OtpSecret.fromBase32(secret),
  algorithm: 'SHA1', // the only one that all apps support
  digits: 6,
  period: PERIOD_SECONDS,
})

/** The zeros of digits that keyboards of Arabic, Persian, Hindi and Bengali write; wide ones are normalized. */
const ZEROS = '\u0660\u06f0\u0966\u09e6'

function inAscii(digit: string): string {
  const values = [...ZEROS].map((zero) => digit.charCodeAt(0) - zero.charCodeAt(0))
  return String(values.find((value) => value >= 0 && value < 10) ?? digit)
}

/** Returns a typed or copied code without spaces, dashes and invisible marks, in ASCII, and its kind. */
export function readCode(typed: string): { kind: 'app' | 'recovery'; code: string } {
  const plain = typed.normalize('NFKC').replaceAll(/\p{Nd}/gu, inAscii)
  const code = plain.replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '').toLowerCase()
  return { kind: /^\d+$/.test(code) ? 'app' : 'recovery', code }
}

/** Unambiguous letters and digits. A code always contains a letter, so that it differs from those of an app. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const HALF = 5

/** Returns ten codes of 49 random bits, like `k7mpx-3hq9a`. */
export function createRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) {
    const code = Array.from({ length: 2 * HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    if (/[a-z]/.test(code)) codes.add(`${code.slice(0, HALF)}-${code.slice(HALF)}`)
  }
  return [...codes]
}

/** OWASP's minimum for passwords is more than enough for random codes, of which ten are hashed together. */
export const RECOVERY_COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes a recovery code with argon2id and the salt of its account, so that one hash finds it among the others. */
export const hashRecoveryCode = (code: string, salt: Buffer, cost: HashCost): Promise<Buffer> =>
  hashRaw(readCode(code).code, { ...cost, salt })

/** Encrypts the secrets of authenticator apps for the database. Each ciphertext is bound to its account. */
export type SecretCipher = {
  encrypt(secret: string, userId: string): Promise<string>
  /** Returns the secret; null if it was encrypted for another account or with a key that this server no longer has. */
  decrypt(encrypted: string, userId: string): Promise<string | null>
}

/** Encrypts with AES-256-GCM under a key that is derived from the token secret. */
export function createSecretCipher({ current, previous }: Secrets): SecretCipher {
  const keyOf = (id: string | undefined): Uint8Array => {
    const known = [current, previous].find((secret): secret is Secret => secret?.id === id)
    if (!known) throw new errors.JWKSNoMatchingKey()
    return known.secondFactorKey
  }
  return {
    encrypt: (secret, userId) =>
      new EncryptJWT({ secret })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: current.id })
        .setSubject(userId)
        .encrypt(current.secondFactorKey),

    async decrypt(encrypted, userId) {
      try {
        const { payload } = await jwtDecrypt<{ secret: string }>(encrypted, ({ kid }) => keyOf(kid), {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          subject: userId,
        })
        return payload.secret
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}
