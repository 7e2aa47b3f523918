import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { insertNews } from './store.ts'

/**
 * Records in the transaction of its change that readers may read an entry for the first time, or that a milestone is reached. Each is news
 * once. The project is locked, and its revision is already that of the change.
 */
export const recordReaderNews = (
  trx: Transaction<Schema>,
  projectId: string,
  news: { entryId: string } | { milestoneId: string },
): Promise<void> => insertNews(trx, projectId, { entryId: null, milestoneId: null, ...news })
