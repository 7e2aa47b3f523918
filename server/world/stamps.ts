import type { Pool } from 'pg'
import { gathered } from '#server/platform/gathered.ts'
import type { Leases } from '#server/platform/leases.ts'
import { findStamps } from './store.ts'

/**
 * Whether a project is public, and its stamp: that changes whenever anything that its public pages show does, on
 * whichever server that happens.
 */
export type Stamps = {
  /** By a look that begins now; null unless the project is public. */
  read: (projectId: string) => Promise<string | null>
  /** By the last look, where that may still be taken for granted. */
  leased: (projectId: string) => string | undefined
}

/** The check of everything that is kept of public projects: one indexed look at the database for many who ask at once. */
export function createStamps(pool: Pick<Pool, 'query'>, leases: Leases): Stamps {
  const ask = gathered((ids: readonly string[]) => leases.look(ids, (ids) => findStamps(pool, ids)))
  return {
    read: async (projectId) => (await ask(projectId)) ?? null,
    leased: (projectId) => leases.get(projectId),
  }
}
