import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** A secret of the cipher: an id that may be public, and a key. */
type Secret = { id: string; invitationKey: Uint8Array }

/** Encrypts tokens and secrets for the database. Each ciphertext is bound to the id of its row. */
export type TokenCipher = {
  encrypt: (token: string, rowId: string) => Buffer
  /** Returns the token; null if it was encrypted for another row or under a secret that this server no longer has. */
  decrypt: (encrypted: Buffer | null, rowId: string) => string | null
}

const VERSION = 1
const KEY_ID_BYTES = 6
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + KEY_ID_BYTES
const SHORTEST = HEAD_BYTES + NONCE_BYTES + TAG_BYTES

/** AES-256-GCM under a key of the token secret: version, key id, nonce, ciphertext, tag. */
export function createTokenCipher({
  current,
  previous,
}: {
  current: Secret
  previous: Secret | null
}): TokenCipher {
  const known = [current, ...(previous ? [previous] : [])]

  return {
    encrypt(token, rowId) {
      const head = headOf(current)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.invitationKey, nonce)
      cipher.setAAD(boundTo(head, rowId))
      return Buffer.concat([head, nonce, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },

    decrypt(encrypted, rowId) {
      if (encrypted === null || encrypted.length < SHORTEST) return null
      const head = encrypted.subarray(0, HEAD_BYTES)
      const secret = known.find((one) => headOf(one).equals(head))
      if (!secret) return null
      const nonce = encrypted.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', secret.invitationKey, nonce, {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(boundTo(head, rowId))
      decipher.setAuthTag(encrypted.subarray(-TAG_BYTES))
      const token = decipher.update(encrypted.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES))
      try {
        return Buffer.concat([token, decipher.final()]).toString('utf8')
      } catch {
        // Changed, or moved here from another row.
        return null
      }
    },
  }
}

const headOf = ({ id }: Secret) => Buffer.concat([Buffer.of(VERSION), Buffer.from(id, 'hex')])

const boundTo = (head: Buffer, rowId: string) => Buffer.concat([head, Buffer.from(rowId)])
