import { createHash } from 'node:crypto'
import type { EntryItem, Item, ProblemList } from '#server/import/items.ts'
import { refOf } from './documents.ts'
import { storable } from './texts.ts'

/** A longer one has no place in the index, whose rows have at most 2,704 bytes. */
const KEY_BYTES_MAX = 2_000

/**
 * Yields items whose ids are all different: some programs export a text in several files, and copies of a note keep its id. What is the same is
 * one, and texts that differ are all there.
 */
export async function* distinct(items: AsyncIterable<Item>, problems: ProblemList): AsyncGenerator<Item> {
  const refs = new Set<string>()
  const keys = new Set<string>()
  const texts = new Set<string>()
  for await (const found of items) {
    if (found.kind === 'version') {
      yield found
      continue
    }
    const item = { ...found, key: storedKey(found.key) }
    const key = `${item.kind} ${item.key}`
    if (item.kind !== 'entry') {
      if (refs.has(item.ref)) continue
      refs.add(item.ref)
      yield item
      continue
    }
    const text = `${item.milestone} ${item.key} ${textHash(item)}`
    if (texts.has(text) && refs.has(item.ref)) {
      problems.add('it is in the archive twice', item.path)
      continue
    }
    const isNew = !refs.has(item.ref) && !keys.has(key)
    const made = isNew ? item : renamed(item, refs.has(item.ref))
    if (refs.has(made.ref)) {
      problems.add('it is in the archive twice', item.path)
      continue
    }
    refs.add(made.ref)
    keys.add(key)
    texts.add(text)
    yield made
  }
}

/** Returns the id at a source as it can be stored and found again. */
const storedKey = (key: string) =>
  storable(Buffer.byteLength(key) <= KEY_BYTES_MAX ? key : `${key.slice(0, 500)}#${hashOf(key)}`)

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Returns another text with the id of one before it, under an id that is the same the next time. */
function renamed(item: EntryItem, hasRef: boolean): EntryItem {
  const key = `${item.key}#${textHash(item)}`
  return { ...item, key, ref: hasRef ? refOf('entry', item.milestone, key) : item.ref }
}

const textHash = ({ title, content, happened }: EntryItem) =>
  hashOf(JSON.stringify([title, content, happened.on])).slice(0, 16)
