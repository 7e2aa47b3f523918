import { SaxesParser } from 'saxes'
import { type ArchiveItem, readText } from '#server/import/archive.ts'
import { Refused } from '#server/import/items.ts'
import { refuseWhole } from './json.ts'

/** An element. `text`: all that is directly in it; of one that is `markup`, with the elements as they are written. */
export type XmlElement = {
  name: string
  attributes: { [name: string]: string }
  text: string
  children: XmlElement[]
}

const XML_MAX = 100_000_000
const CHUNK = 65_536
const DEPTH_MAX = 200
/** Characters that XML must not have, and that old programs write. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

type Reading = {
  /** Elements that are left out, with all in them. */
  skipped: ReadonlySet<string>
  /** Whether the content of an element is text with markup, as XHTML in Atom. */
  isMarkup: (name: string, attributes: { [name: string]: string }) => boolean
}

/**
 * Reads a file of XML. No entity is expanded but those of XML itself, and a file that defines some is refused. Small faults, as feeds
 * have them, are passed over. Throws Refused.
 */
export async function readXml(item: ArchiveItem, { skipped, isMarkup }: Reading): Promise<XmlElement> {
  const text = await readText(item, XML_MAX).catch(refuseWhole(item.path))
  const top: XmlElement = { name: '', attributes: {}, text: '', children: [] }
  const open: XmlElement[] = [top]
  let skipping = 0
  let markup: { element: XmlElement; depth: number } | undefined
  const parser = new SaxesParser({ xmlns: false, position: false })
  const fail = (why: string) => {
    throw new Refused(`The file ${item.path} ${why}`)
  }
  let isCut = false
  parser.on('error', ({ message }) => {
    if (/unclosed|unexpected end/i.test(message)) isCut = true
  })
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/i.test(doctype))
      fail('defines abbreviations that may multiply without end, as no export does, so it is not read.')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (skipping > 0 || skipped.has(name)) {
      skipping += 1
      return
    }
    if (markup) {
      markup.depth += 1
      markup.element.text += `<${name}${attributesOf(attributes)}>`
      if (markup.depth > DEPTH_MAX) fail('is nested too deeply to be read.')
      return
    }
    const element: XmlElement = { name, attributes, text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
    if (open.length > DEPTH_MAX) fail('is nested too deeply to be read.')
    if (isMarkup(name, attributes)) markup = { element, depth: 0 }
  })
  parser.on('closetag', ({ name }) => {
    if (skipping > 0) {
      skipping -= 1
      return
    }
    if (markup && markup.depth > 0) {
      markup.depth -= 1
      markup.element.text += `</${name}>`
      return
    }
    markup = undefined
    if (open.length > 1) open.pop()
  })
  const add = (found: string) => {
    const element = open.at(-1)
    if (skipping > 0 || !element) return
    element.text += markup ? escaped(found) : found
  }
  parser.on('text', add)
  parser.on('cdata', add)
  const clean = withEscapes(text.slice(beginOf(text)).replaceAll(FORBIDDEN, ''))
  for (let at = 0; at < clean.length; at += CHUNK) parser.write(clean.slice(at, at + CHUNK))
  parser.close()
  const [root] = top.children
  if (!root) return fail('is no XML that can be read.')
  if (isCut) fail('is incomplete. Export it again.')
  return root
}

/** Where the XML begins: some servers write empty lines or a warning before it. */
function beginOf(text: string): number {
  const found = text.slice(0, CHUNK).search(/<\?xml\s|<(?:rss|feed|rdf:RDF)[\s>]/)
  return Math.max(0, found)
}

/** An ampersand that begins no entity of XML, as careless programs write it, or one of HTML. */
const BARE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi
const CDATA = '<![CDATA['

/** Escapes what a strict reader would take the rest of the file for. In CDATA every character is itself. */
function withEscapes(text: string): string {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const begin = text.indexOf(CDATA, at)
    const end = begin < 0 ? -1 : text.indexOf(']]>', begin)
    parts.push(text.slice(at, begin < 0 ? undefined : begin).replaceAll(BARE, '&amp;'))
    if (begin < 0) break
    parts.push(text.slice(begin, end < 0 ? undefined : end))
    if (end < 0) break
    at = end
  }
  return parts.join('')
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const attributesOf = (attributes: { [name: string]: string }) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`)
    .join('')

/** Returns the elements with a name directly in another. */
export const elementsIn = ({ children }: XmlElement, ...names: string[]): XmlElement[] =>
  children.filter(({ name }) => names.includes(name))

/** Returns the text of the first element, of these names in order, that has one. */
export function elementText(element: XmlElement, ...names: string[]): string | undefined {
  for (const wanted of names) {
    const found = element.children.find(({ name, text }) => name === wanted && text.trim() !== '')
    if (found) return found.text.trim()
  }
  return undefined
}
