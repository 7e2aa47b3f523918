import type { Expression, Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import { longTextOfHtml } from '#server/markdown/html-text.ts'
import {
  type IndexSource,
  saveDocuments,
  TAKEN_AT_ONCE,
  type Taken,
  takeChanged,
  takeChangedWith,
  takeWaiting,
} from './index-store.ts'
import { folded, longFolded, vectorOf } from './words.ts'

/** How much of one transaction is indexed within it. A job indexes the rest, such as that of a large project that was restored. */
const AT_ONCE = 200

/**
 * Indexes what this transaction has changed, before it commits. A change for which this is not called is indexed by a job some
 * seconds later.
 */
export async function indexChanges(trx: Transaction<Schema>): Promise<void> {
  await indexQueued(trx, takeChanged, AT_ONCE)
}

/** Returns a function like `indexChanges` that returns the row that `beside` selects after the change, in the same round trip. */
export function indexingWith<Values extends object, Row>(
  beside: (db: Db, values: Values) => Expression<Row>,
) {
  const take = takeChangedWith(beside)
  return (trx: Transaction<Schema>, values: Values) => indexQueued(trx, () => take(trx, values), AT_ONCE)
}

/** Indexes what waits of a project, at most `limit` rows of the queue. */
export async function indexWaiting(
  trx: Transaction<Schema>,
  projectId: string,
  limit: number,
): Promise<void> {
  await indexQueued(trx, () => takeWaiting(trx, projectId), limit)
}

async function indexQueued<Row>(
  trx: Transaction<Schema>,
  take: (trx: Transaction<Schema>) => Promise<Taken<Row>>,
  limit: number,
): Promise<Row | undefined> {
  let found: Row | undefined
  for (let left = limit; left > 0; left -= TAKEN_AT_ONCE) {
    const { taken, sources, row } = await take(trx)
    found = row
    const documents = []
    for (const source of sources) documents.push(await documentOf(source))
    if (documents.length > 0) await saveDocuments(trx, documents)
    if (taken < TAKEN_AT_ONCE) break
  }
  return found
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
