import { isRecord, recordsIn, textIn, type UnknownRecord } from '#server/import/converting/records.ts'
import { cardOf } from './cards.ts'

const DEPTH_MAX = 50

/** Returns the Markdown of a post in the format of Ghost's editor, which a migration may have without HTML. */
export function textOfLexical(lexical: string, readHtml: (html: string) => string): string {
  let read: unknown
  try {
    read = JSON.parse(lexical)
  } catch {
    return '' // It has no text that can be read, which the plan says.
  }
  if (!isRecord(read) || !isRecord(read.root)) return ''
  return blocksOf(read.root, readHtml, 0)
}

const blocksOf = (node: UnknownRecord, readHtml: (html: string) => string, depth: number): string =>
  recordsIn(node, 'children')
    .map((child) => blockOf(child, readHtml, depth))
    .filter((block) => block.trim() !== '')
    .join('\n\n')

function blockOf(node: UnknownRecord, readHtml: (html: string) => string, depth: number): string {
  if (depth > DEPTH_MAX) return ''
  switch (node.type) {
    case 'heading':
    case 'extended-heading':
      return `${'#'.repeat(Number(/\d/.exec(textIn(node, 'tag') ?? '')?.[0] ?? 2))} ${inlineOf(node, depth)}`
    case 'quote':
    case 'extended-quote':
    case 'aside':
      return `> ${inlineOf(node, depth).replaceAll('\n', '\n> ')}`
    case 'list':
      return listOf(node, depth)
    default:
      return cardOf(node, readHtml) || inlineOf(node, depth)
  }
}

/** A list below an item is the only child of an item of its own. */
function listOf(node: UnknownRecord, depth: number): string {
  if (depth > DEPTH_MAX) return ''
  const mark = node.listType === 'number' ? '1. ' : '- '
  const boxOf = (item: UnknownRecord) =>
    node.listType === 'check' ? (item.checked === true ? '[x] ' : '[ ] ') : ''
  return recordsIn(node, 'children')
    .map((item) => {
      const below = recordsIn(item, 'children').filter(({ type }) => type === 'list')
      const nested = below.map((list) => listOf(list, depth + 1).replaceAll(/^/gm, ' '.repeat(mark.length)))
      const text = below.length === 0 ? `${mark}${boxOf(item)}${inlineOf(item, depth)}` : ''
      return [text, ...nested].filter((part) => part !== '').join('\n')
    })
    .join('\n')
}

const CODE = 16
/** The marks of the bits of a format, from the outermost to the innermost. */
const MARKS: [bit: number, open: string, close: string][] = [
  [1, '**', '**'],
  [2, '*', '*'],
  [4, '~~', '~~'],
  [8, '<u>', '</u>'],
  [32, '<sub>', '</sub>'],
  [64, '<sup>', '</sup>'],
  [128, '==', '=='],
]

function inlineOf(node: UnknownRecord, depth: number): string {
  if (depth > DEPTH_MAX) return ''
  return recordsIn(node, 'children')
    .map((child) => {
      if (child.type === 'linebreak') return '\n'
      if (child.type === 'link' || child.type === 'autolink')
        return `[${inlineOf(child, depth + 1)}](${textIn(child, 'url') ?? ''})`
      if (child.type !== 'text' && child.type !== 'extended-text') return inlineOf(child, depth + 1)
      const format = Number(child.format ?? 0)
      const text = typeof child.text === 'string' ? child.text : ''
      if ((format & CODE) !== 0) return `\`${text}\``
      const marks = MARKS.filter(([bit]) => (format & bit) !== 0)
      const opened = marks.map(([, open]) => open).join('')
      const closed = marks
        .toReversed()
        .map(([, , close]) => close)
        .join('')
      // Marks hold only where no space is between them and the words.
      const words = text.trim()
      const [before = '', after = ''] = words === '' ? [] : text.split(words, 2)
      return words === '' ? text : `${before}${opened}${words}${closed}${after}`
    })
    .join('')
}
