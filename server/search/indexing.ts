import type { RawBuilder, Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { longTextOfHtml } from '#server/markdown/html-text.ts'
import {
  type IndexSource,
  type SearchDocument,
  saveDocuments,
  savingWith,
  TAKEN_AT_ONCE,
  type Taken,
  takeChanged,
  takeWaiting,
} from './index-store.ts'
import { folded, longFolded, vectorOf } from './words.ts'

export type { IndexSource } from './index-store.ts'

/** How much of one transaction is indexed within it. A job indexes the rest, such as that of a large project that was restored. */
const AT_ONCE = 200

/**
 * Indexes what this transaction has changed, before it commits. A change for which this is not called is indexed by a job some
 * seconds later.
 */
export async function indexChanges(trx: Transaction<Schema>): Promise<void> {
  await indexQueued(trx, takeChanged, AT_ONCE)
}

/**
 * Returns a function like `indexChanges` that returns the row that `after` selects at its end, in the same round trip; undefined if there was
 * nothing to index. `known`: a changed thing that need not be read, as it is at the end of the transaction.
 */
export function indexingWith<Values extends object, Row>(after: (values: Values) => RawBuilder<Row>) {
  const save = savingWith(after)
  return async (trx: Transaction<Schema>, values: Values, known?: IndexSource) => {
    if (known) {
      const { row, isMore } = await save(trx, [await documentOf(known)], values)
      if (!isMore) return row
    }
    let found: Row | undefined
    await indexQueued(trx, takeChanged, AT_ONCE, async (_trx, documents) => {
      found = (await save(trx, documents, values)).row
    })
    return found
  }
}

/** Indexes what waits of a project, at most `limit` rows of the queue. */
export async function indexWaiting(
  trx: Transaction<Schema>,
  projectId: string,
  limit: number,
): Promise<void> {
  await indexQueued(trx, () => takeWaiting(trx, projectId), limit)
}

async function indexQueued(
  trx: Transaction<Schema>,
  take: (trx: Transaction<Schema>) => Promise<Taken>,
  limit: number,
  save: (trx: Transaction<Schema>, documents: SearchDocument[]) => Promise<void> = saveDocuments,
): Promise<void> {
  for (let left = limit; left > 0; left -= TAKEN_AT_ONCE) {
    const { taken, sources } = await take(trx)
    const documents = []
    for (const source of sources) documents.push(await documentOf(source))
    if (documents.length > 0) await save(trx, documents)
    if (taken < TAKEN_AT_ONCE) break
  }
}

/** What separates the texts of a document, so that no phrase reaches from one into the next. */
const BETWEEN = '\u001F'

async function documentOf({ title, tags, text, html, files, ...rest }: IndexSource) {
  const heading = folded(title)
  const labels = tags.map(folded)
  const body = await longFolded(html === null ? text : await longTextOfHtml(html))
  const names = await longFolded(files.join(' '))
  const words = await vectorOf([
    ['A', heading],
    ...labels.map((label) => ['B', label] as const),
    ['C', body],
    ['D', names],
  ])
  return { ...rest, tags: labels, folded: [heading, ...labels, body, names].join(BETWEEN), words }
}
