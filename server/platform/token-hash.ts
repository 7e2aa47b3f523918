import { hash } from 'node:crypto'

/**
 * Returns the hash by which a random token is stored and found; the database has nothing else of it. The tables differ in how they write
 * it, as `encoding` says.
 */
export function hashOfToken(token: string): Buffer
export function hashOfToken(token: string, encoding: 'hex' | 'base64url'): string
export function hashOfToken(
  token: string,
  encoding: 'buffer' | 'hex' | 'base64url' = 'buffer',
): Buffer | string {
  return hash('sha256', token, encoding)
}
