import { expect, it } from 'vitest'
import { derive } from './secrets.ts'
import { createTokenCipher } from './token-cipher.ts'

const [old, current] = [derive('the secret that was in use so far'), derive('the secret from now on')]
const ROW = '0199f1f0-0000-7000-8000-000000000001'
const cipher = createTokenCipher({ current, previous: null })

it('a token is encrypted differently each time, and decrypted only for its own row', () => {
  const encrypted = cipher.encrypt('a token', ROW)
  expect(cipher.encrypt('a token', ROW).equals(encrypted)).toBe(false)
  expect(encrypted.toString('latin1')).not.toContain('a token')
  expect(cipher.decrypt(encrypted, ROW)).toBe('a token')
  expect(cipher.decrypt(encrypted, ROW.replace('1', '2'))).toBeNull()
  expect(cipher.decrypt(null, ROW)).toBeNull()
})

it('a token is decrypted with the previous secret while that is set, and with no other', () => {
  const encrypted = createTokenCipher({ current: old, previous: null }).encrypt('a token', ROW)
  expect(cipher.decrypt(encrypted, ROW)).toBeNull()
  expect(createTokenCipher({ current, previous: old }).decrypt(encrypted, ROW)).toBe('a token')
})

it('a modified or truncated ciphertext is not decrypted', () => {
  const encrypted = cipher.encrypt('a token', ROW)
  for (let at = 0; at < encrypted.length; at += 1) {
    const changed = Buffer.from(encrypted)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(cipher.decrypt(changed, ROW)).toBeNull()
    expect(cipher.decrypt(encrypted.subarray(0, at), ROW)).toBeNull()
  }
})
