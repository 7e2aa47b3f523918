import type { Expression, Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { type IndexSource, saveDocuments, takeSources } from './index-store.ts'
import { longTextOfHtml } from './text.ts'
import { folded, longFolded, vectorOf } from './words.ts'

/** How many things are in memory at a time. The HTML of an entry may have a megabyte. */
const IN_MEMORY = 20
/** How much of one transaction is indexed within it. A job indexes the rest, such as that of a large project that was restored. */
const AT_ONCE = 200

/**
 * Indexes what this transaction has changed, before it commits. A change for which this is not called is indexed by a job some
 * seconds later. Returns the row that `beside` selects after the change, in the same round trip.
 */
export const indexChanges = <Row>(
  trx: Transaction<Schema>,
  beside?: Expression<Row>,
): Promise<Row | undefined> => indexQueued(trx, 'transaction', AT_ONCE, beside)

/** Indexes what waits of a project, at most `limit` rows of the queue. */
export async function indexWaiting(
  trx: Transaction<Schema>,
  projectId: string,
  limit: number,
): Promise<void> {
  await indexQueued(trx, { projectId }, limit)
}

async function indexQueued<Row>(
  trx: Transaction<Schema>,
  of: Parameters<typeof takeSources>[1],
  limit: number,
  beside?: Expression<Row>,
): Promise<Row | undefined> {
  let found: Row | undefined
  for (let left = limit; left > 0; left -= IN_MEMORY) {
    const { taken, sources, row } = await takeSources(trx, of, IN_MEMORY, beside)
    found = row
    const documents = []
    for (const source of sources) documents.push(await documentOf(source))
    if (documents.length > 0) await saveDocuments(trx, documents)
    if (taken < IN_MEMORY) break
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
