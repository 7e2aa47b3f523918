import { createHash, hkdfSync } from 'node:crypto'
import type { Secret, Secrets } from '#server/identity/secrets.ts'

/** The token of a link, 256 bits that follow from its id: so it is kept nowhere, and each attempt sends the same. */
export function tokenOf(secret: Secret, id: string): string {
  const bytes = hkdfSync('sha256', secret.providerKey, id, 'confirmation of an address', 32)
  return Buffer.from(bytes).toString('base64url')
}

/** What the database knows of a token. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** The token that has this hash; undefined where the secret it was made with is gone. */
export function recoverToken(
  { current, previous }: Secrets,
  { id, tokenHash }: { id: string; tokenHash: string },
): string | undefined {
  return [current, previous]
    .filter((secret) => secret !== null)
    .map((secret) => tokenOf(secret, id))
    .find((token) => hashOf(token) === tokenHash)
}
