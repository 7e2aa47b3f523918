import DataLoader from 'dataloader'
import { WORLD_ENTRIES_PER_PAGE } from '#contract/world.ts'
import type { Db } from '#server/database/rows.ts'
import { countTagged } from './page-store.ts'
import { findEntryCount, findPublicVersions, isEntryOf } from './store.ts'

/** The parameters of a public page's URL, from its path and query. */
type PageValues = { projectId?: string; entryId?: string; milestone?: string; tag?: string; page?: string }

/** The queries of the page cache about public projects. */
export type PublicPageQueries = {
  /** Returns a text that changes with anything on the project's public pages; null if the project is not public. */
  version: (projectId: string) => Promise<string | null>
  /** Returns whether a public project has what a URL refers to, without rendering. */
  find: (values: PageValues) => Promise<'found' | 'no entry' | 'no milestone' | 'no tag' | 'no page'>
}

/** Queries the database each time, with one indexed query for all concurrent requests. */
export function createPublicPageQueries(db: Db): PublicPageQueries {
  return {
    version: createBatchLoader((projectIds) => findPublicVersions(db, projectIds)),
    async find({ projectId, entryId, milestone, tag, page = '1' }) {
      if (projectId === undefined) return 'found'
      if (entryId !== undefined) return (await isEntryOf(db, projectId, entryId)) ? 'found' : 'no entry'
      if (tag !== undefined) {
        const tagged = await countTagged(db, projectId, tag)
        if (tagged === 0) return 'no tag'
        return Number(page) <= Math.ceil(tagged / WORLD_ENTRIES_PER_PAGE) ? 'found' : 'no page'
      }
      if (milestone === undefined && page === '1') return 'found'
      const count = await findEntryCount(db, projectId, milestone)
      if (count === undefined && milestone !== undefined) return 'no milestone'
      return Number(page) <= Math.max(1, Math.ceil((count ?? 0) / WORLD_ENTRIES_PER_PAGE))
        ? 'found'
        : 'no page'
    },
  }
}

/**
 * Returns a loader that loads the keys requested within one turn of the event loop with one query. Nothing is cached: a query
 * begins after its keys were requested, so no result is older than its request.
 */
export function createBatchLoader<Value>(
  query: (keys: readonly string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | null> {
  const loader = new DataLoader<string, Value | null>(
    async (keys) => {
      const found = await query([...new Set(keys)])
      return keys.map((key) => found.get(key) ?? null)
    },
    { cache: false, batchScheduleFn: (dispatch) => void setImmediate(dispatch) },
  )
  return (key) => loader.load(key)
}
