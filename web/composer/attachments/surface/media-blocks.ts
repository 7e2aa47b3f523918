import { referenceText, removeReference } from '#web/composer/attachments/file-text.ts'
import type { Edit } from '#web/composer/text/edits.ts'
import { codeBlocksOf } from '#web/composer/text/text-context.ts'
import { type FileReference, fileReferences } from '#web/files/file-references.ts'

/** A reference to a file; `index` is its index among the references of the text to the same file. */
export type MediaItem = FileReference & { index: number }

/** A reference without its position, which changes with every key. */
export type ShownItem = Omit<MediaItem, 'from' | 'to'>

/**
 * The files of adjacent lines. `media`: lines of pictures, films and sounds only, which readers see as one picture or one gallery.
 * `download`: a line with a link to a file only. `inline`: files among words, which are shown below their line.
 */
export type MediaBlock = {
  kind: 'media' | 'download' | 'inline'
  /** The whole lines. */
  from: number
  to: number
  items: readonly MediaItem[]
}

export type Change = Pick<Edit, 'from' | 'to' | 'insert'>

/** Returns all references of a text without their positions, also those in code. */
export const shownItems = (text: string): ShownItem[] =>
  withIndexes(fileReferences(text)).map(withoutPosition)

/** Returns a reference without its position. */
export const withoutPosition = ({ from: _from, to: _to, ...item }: MediaItem): ShownItem => item

/** Returns the files of a text by the block in which they are drawn; not those in code, which readers see as code. */
export function mediaBlocks(text: string): MediaBlock[] {
  const blocks: MediaBlock[] = []
  for (const line of linesOfFiles(text)) {
    const previous = blocks.at(-1)
    if (line.kind === 'media' && previous?.kind === 'media' && previous.to + 1 === line.from)
      blocks.splice(-1, 1, { ...previous, to: line.to, items: [...previous.items, ...line.items] })
    else blocks.push(line)
  }
  return blocks
}

function linesOfFiles(text: string): MediaBlock[] {
  const references = withIndexes(fileReferences(text))
  if (references.length === 0) return []
  const code = codeBlocksOf(text)
  const lines: MediaBlock[] = []
  for (const item of references) {
    if (code.some(({ start, end }) => item.from >= start && item.from < end)) continue
    const previous = lines.at(-1)
    if (previous && item.from <= previous.to) {
      lines.splice(-1, 1, asBlock(text, previous.from, previous.to, [...previous.items, item]))
      continue
    }
    const from = text.lastIndexOf('\n', item.from - 1) + 1
    const newline = text.indexOf('\n', item.to)
    lines.push(asBlock(text, item.from === 0 ? 0 : from, newline === -1 ? text.length : newline, [item]))
  }
  return lines
}

function withIndexes(references: readonly FileReference[]): MediaItem[] {
  const counts = new Map<string, number>()
  return references.map((reference) => {
    const index = counts.get(reference.id) ?? 0
    counts.set(reference.id, index + 1)
    return { ...reference, index }
  })
}

function asBlock(text: string, from: number, to: number, items: readonly MediaItem[]): MediaBlock {
  let at = from
  let isAlone = items[0]?.from === from
  for (const item of items) {
    isAlone &&= text.slice(at, item.from).trim() === ''
    at = item.to
  }
  isAlone &&= text.slice(at, to).trim() === ''
  const isMedia = isAlone && items.every(({ isShown }) => isShown)
  const isDownload = isAlone && items.length === 1 && !isMedia
  return { kind: isMedia ? 'media' : isDownload ? 'download' : 'inline', from, to, items }
}

/**
 * Returns the change that moves a file of a block to another position in it. The references are permuted; what is between them stays
 * as it was typed.
 */
export function moveWithin(text: string, { items }: MediaBlock, at: number, to: number): Change | null {
  const moved = items[at]
  const [first, last] = [items[0], items.at(-1)]
  if (!moved || !first || !last || at === to || to < 0 || to >= items.length) return null
  const order = items.filter((item) => item !== moved)
  order.splice(to, 0, moved)
  let insert = ''
  items.forEach((item, index) => {
    const placed = order[index] ?? item
    insert += text.slice(placed.from, placed.to)
    const next = items[index + 1]
    if (next) insert += text.slice(item.to, next.from)
  })
  return { from: first.from, to: last.to, insert }
}

/** Returns the changes that move a file into another block, before the file at this position. */
export function moveBetween(text: string, item: MediaItem, { items }: MediaBlock, to: number): Change[] {
  const { from, to: end } = removeReference(text, item)
  const removal = { from, to: end, insert: '' }
  const reference = text.slice(item.from, item.to)
  const next = items[to]
  const last = items.at(-1)
  if (next) return [removal, { from: next.from, to: next.from, insert: `${reference}\n` }]
  return last ? [removal, { from: last.to, to: last.to, insert: `\n${reference}` }] : []
}

/** Returns the change of the alternative text and caption of a reference: only of the characters that differ; null if none do. */
export function describing(text: string, item: MediaItem, words: string, caption: string): Change | null {
  if (item.words === words.trim() && item.caption === caption.trim()) return null
  const before = text.slice(item.from, item.to)
  const after = referenceText({ ...item, words, caption })
  let same = 0
  while (same < Math.min(before.length, after.length) && before[same] === after[same]) same++
  let tail = 0
  while (
    tail < Math.min(before.length, after.length) - same &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++
  return {
    from: item.from + same,
    to: item.to - tail,
    insert: after.slice(same, after.length - tail),
  }
}
