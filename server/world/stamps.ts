import type { Parts } from '#server/parts.ts'
import { gathered } from '#server/platform/gathered.ts'
import { findStamps } from './store.ts'

/**
 * Tells whether a project is public now, and by what stamp: it changes whenever anything that its public pages show
 * does, on whichever server that happens. Null unless it is public.
 */
export type StampOf = (projectId: string) => Promise<string | null>

/** The check of everything that is kept of public projects: one indexed look at the database for many who ask at once. */
export function createStamps({ db }: Pick<Parts, 'db'>): StampOf {
  const ask = gathered((ids: readonly string[]) => findStamps(db, ids))
  return async (projectId) => (await ask(projectId)) ?? null
}
