import type { Kysely } from 'kysely'
import type { BaseLogger } from 'pino'
import { DAY_MS } from '#contract/parts/durations.ts'
import type { Schema } from '#server/database/rows.ts'
import { lockForChange } from '#server/permissions/access.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import {
  addWords,
  deleteUnusedWords,
  findWaitingProject,
  isFilled,
  mergePending,
  queueEverything,
} from './index-store.ts'
import { indexWaiting } from './indexing.ts'
import { hasTrigrams } from './store.ts'
import { INDEX_VERSION } from './words.ts'

type Deps = { db: Kysely<Schema>; log: Pick<BaseLogger, 'warn'> }

/** A writer of the project waits while as many of its things are indexed. */
const BATCH = 60
const FILL_EVERY_MS = 2_000
const WORDS_EVERY_MS = 30_000

/**
 * Indexes what waits, until the queue is empty or `stop` is aborted. If the index was never filled, or a crash emptied it,
 * everything waits. A batch is indexed like a change of its project, so that nothing older overwrites a newer document.
 */
export async function fillIndex(db: Kysely<Schema>, stop?: AbortSignal): Promise<void> {
  if (!(await isFilled(db, INDEX_VERSION))) await queueEverything(db, INDEX_VERSION)
  for (;;) {
    const projectId = await findWaitingProject(db)
    if (projectId === undefined || stop?.aborted) return
    await db.transaction().execute(async (trx) => {
      await lockForChange(trx, projectId)
      await indexWaiting(trx, projectId, BATCH)
    })
  }
}

/** Adds the words of new documents to those among which parts of words and misspelled words are looked up. */
export async function gatherWords(db: Kysely<Schema>, stop?: AbortSignal): Promise<void> {
  while (await db.transaction().execute(addWords)) if (stop?.aborted) return
  await mergePending(db)
}

/** Deletes the words that no document has any more, such as those of deleted accounts. */
export async function dropUnusedWords(db: Kysely<Schema>, stop?: AbortSignal): Promise<void> {
  let last: string | undefined = ''
  do {
    const after: string = last
    last = await db.transaction().execute((trx) => deleteUnusedWords(trx, after))
    if (stop?.aborted) return
  } while (last !== undefined)
}

/** Schedules the upkeep of the index. */
export const searchTasks = ({ db }: Pick<Deps, 'db'>): ScheduledTask[] => [
  { name: 'filling of the search index', everyMs: FILL_EVERY_MS, run: (stop) => fillIndex(db, stop) },
  { name: 'gathering of words', everyMs: WORDS_EVERY_MS, run: (stop) => gatherWords(db, stop) },
  { name: 'removal of unused words', everyMs: DAY_MS, run: (stop) => dropUnusedWords(db, stop) },
]

/** Says at the start if the database lacks what some searches need. */
export async function warnWithoutTrigrams({ db, log }: Deps): Promise<() => Promise<void>> {
  if (!(await hasTrigrams(db)))
    log.warn(
      'This database lacks the extension pg_trgm: searches for parts of words are slower, and a misspelled word is found only if its first two letters are right',
    )
  return async () => {}
}
