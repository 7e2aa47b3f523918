import { parseEnvelope } from 'better-auth/crypto'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { Secret } from '#server/identity/secrets.ts'

type Key = {
  id: string
  publicKey: string
  privateKey: string
  createdAt: Date
  expiresAt: Date
  alg: 'ES256'
}

/** better-auth tells secrets apart by number; one made from the secret's id is the same on every replica. */
export const numberOf = ({ id }: Secret) => Number.parseInt(id.slice(0, 8), 16)

/**
 * The keys of ID tokens. The private ones are stored encrypted. One that none of our secrets opens, left by a
 * secret that was replaced or made by a replica that has another, verifies what it signed but is not signed with.
 */
export async function readKeys(db: Kysely<Schema>, secrets: Secret[], now: Date): Promise<Key[]> {
  const { rows } = await sql<Key>`select * from identity.jwks`.execute(db)
  const ours = new Set(secrets.map(numberOf))
  // better-auth still signs with a key in the very millisecond in which it expires.
  const justExpired = new Date(now.getTime() - 1)
  return rows.map((key) =>
    ours.has(secretOf(key)) || key.expiresAt < now ? key : { ...key, expiresAt: justExpired },
  )
}

function secretOf({ privateKey }: Key): number {
  return parseEnvelope(JSON.parse(privateKey) as string)?.version ?? Number.NaN
}
