import type { Pool } from 'pg'
import { gathered } from '#server/platform/gathered.ts'
import { findStamps } from './store.ts'

/**
 * Tells whether a project is public now, and by what stamp: it changes whenever anything that its public pages show
 * does, on whichever server that happens. Null unless it is public.
 */
export type StampOf = (projectId: string) => Promise<string | null>

/** The check of everything that is kept of public projects: one indexed look at the database for many who ask at once. */
export function createStamps(pool: Pick<Pool, 'query'>): StampOf {
  const ask = gathered((ids: readonly string[]) => findStamps(pool, ids))
  return async (projectId) => (await ask(projectId)) ?? null
}
