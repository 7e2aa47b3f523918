import { isIP } from 'node:net'
import type { Kysely } from 'kysely'
import type { BaseLogger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import { countUnusable } from './store.ts'

/** The relying party of passkeys: the id that binds them to this server, and the origin that browsers sign. */
export type RelyingParty = { id: string; origin: string }

/**
 * Returns the relying party of a public URL; undefined if browsers do not support passkeys there: on an IP address, and
 * without TLS on any host that is not loopback.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(publicUrl)
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined
  if (protocol !== 'https:' && hostname !== 'localhost') return undefined
  return { id: hostname, origin }
}

/** Logs the number of passkeys that were created for another host than that of PUBLIC_URL, and what to do. */
export async function warnOfUnusablePasskeys(
  db: Kysely<Schema>,
  { publicUrl, log }: { publicUrl: string; log: Pick<BaseLogger, 'warn'> },
): Promise<void> {
  const { hostname } = new URL(publicUrl)
  const { passkeys, hosts } = await countUnusable(db, hostname)
  if (passkeys === 0) return
  const counted = passkeys === 1 ? '1 passkey was' : `${passkeys} passkeys were`
  log.warn(
    `${counted} made for ${new Intl.ListFormat('en').format(hosts)} and cannot be used at ${hostname}: set PUBLIC_URL back, or have people sign in another way and add passkeys again`,
  )
}
