import { recordsIn, textIn, type UnknownRecord } from '#server/import/converting/records.ts'
import { cardOf } from './cards.ts'

/** https://github.com/bustle/mobiledoc-kit/blob/master/MOBILEDOC.md */
const MARKUP = 1
const LIST = 3
const CARD = 10
const MARKS: { [tag: string]: string } = {
  b: '**',
  strong: '**',
  em: '*',
  i: '*',
  s: '~~',
  strike: '~~',
  code: '`',
}

type Sections = { cards: unknown[]; atoms: unknown[]; markups: unknown[] }

/** Returns the Markdown of a post in the format of Ghost 1 to 4, which a migration may have without HTML. */
export function textOfMobiledoc(mobiledoc: UnknownRecord, readHtml: (html: string) => string): string {
  const { cards, atoms, markups } = mobiledoc
  const known = { cards: listOf(cards), atoms: listOf(atoms), markups: listOf(markups) }
  return listOf(mobiledoc.sections)
    .map((section) => blockOf(listOf(section), known, readHtml))
    .filter((block) => block.trim() !== '')
    .join('\n\n')
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function blockOf(section: unknown[], known: Sections, readHtml: (html: string) => string): string {
  const [kind, what, markers] = section
  if (kind === CARD) {
    const [name, card] = listOf(known.cards[Number(what)])
    const [found] = recordsIn({ card: [card] }, 'card')
    return found ? cardOf({ ...found, type: name }, readHtml) : ''
  }
  if (kind === LIST)
    return listOf(markers)
      .map((item, at) => `${what === 'ol' ? `${at + 1}.` : '-'} ${inlineOf(listOf(item), known)}`)
      .join('\n')
  if (kind !== MARKUP) return ''
  const text = inlineOf(listOf(markers), known)
  const [, level] = /^h([1-6])$/.exec(String(what)) ?? []
  if (level !== undefined) return `${'#'.repeat(Number(level))} ${text}`
  return what === 'blockquote' || what === 'aside' ? `> ${text.replaceAll('\n', '\n> ')}` : text
}

/** A marker opens some markups, has a text or an atom, and closes some. */
function inlineOf(markers: unknown[], { atoms, markups }: Sections): string {
  const open: string[] = []
  let text = ''
  for (const marker of markers) {
    const [kind, opened, closed, value] = listOf(marker)
    for (const at of listOf(opened)) {
      const [tag, attributes] = listOf(markups[Number(at)])
      const found = listOf(attributes)
      const address = found[found.indexOf('href') + 1]
      const isLink = tag === 'a' && typeof address === 'string'
      open.push(isLink ? `](${address})` : (MARKS[String(tag)] ?? ''))
      text += isLink ? '[' : (MARKS[String(tag)] ?? '')
    }
    if (kind === 0) text += typeof value === 'string' ? value : ''
    else {
      const [name, words] = listOf(atoms[Number(value)])
      text += name === 'soft-return' ? '\n' : (textIn({ words }, 'words') ?? '')
    }
    for (let left = Number(closed ?? 0); left > 0 && open.length > 0; left -= 1) text += open.pop() ?? ''
  }
  return text + open.toReversed().join('')
}
