import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'

/** How the links and pictures of a text are written in the book. */
type Targets = {
  /** Returns where a link leads; undefined if nothing of the book or the web is meant, so that only its words remain. */
  link: (href: string) => string | undefined
  /** Returns the path of a picture; undefined if it is not in the book. */
  picture: (src: string) => string | undefined
}

type Chapter = { xhtml: string; hasMath: boolean }

/** Parsing this much takes a few milliseconds. */
const SLICE = 32_768

/** Elements of which only the content remains, and those of which nothing does. */
const UNWRAPPED = new Set(['video', 'audio', 'picture', 'form', 'button', 'label', 'html', 'body', 'font'])
const DROPPED = new Set(['script', 'style', 'template', 'iframe', 'object', 'embed', 'head', 'noscript'])
const VOID = new Set(['br', 'hr', 'img', 'wbr', 'col'])
const IGNORED = new Set(['source', 'track', 'input', 'link', 'meta', 'base'])
const ATTRIBUTES = new Set([
  'class',
  'title',
  'lang',
  'dir',
  'alt',
  'width',
  'height',
  'colspan',
  'rowspan',
  'start',
  'reversed',
  'open',
  'datetime',
])
const MATHML = 'http://www.w3.org/1998/Math/MathML'

/**
 * Returns rendered HTML as the XHTML of a book: well-formed whatever it is, without scripts, controls and films. It is parsed in
 * slices, so that a long text holds nobody up.
 */
export async function toXhtml(html: string, { link, picture }: Targets): Promise<Chapter> {
  const parts: string[] = []
  const ids = new Set<string>()
  /** Whether an end tag is written, for each open element. */
  const open: boolean[] = []
  let dropped = 0
  let math = 0
  let hasMath = false

  function start(name: string, attributes: { [name: string]: string }): boolean {
    if (DROPPED.has(name)) dropped += 1
    if (dropped > 0 || UNWRAPPED.has(name)) return false
    if (name === 'input') parts.push('checked' in attributes ? '☑ ' : '☐ ')
    if (IGNORED.has(name)) return false
    if (name === 'img') return image(attributes)
    if (name === 'math') {
      math += 1
      hasMath = true
    }
    parts.push(`<${name}${name === 'math' ? ` xmlns="${MATHML}"` : ''}${attributesOf(name, attributes)}`)
    parts.push(VOID.has(name) ? '/>' : '>')
    return !VOID.has(name)
  }

  function image({ src = '', alt = '', ...rest }: { [name: string]: string }): boolean {
    const path = picture(src)
    if (path === undefined) parts.push(escaped(alt))
    else parts.push(`<img src="${escaped(path)}" alt="${escaped(alt)}"${attributesOf('img', rest)}/>`)
    return false
  }

  function attributesOf(name: string, attributes: { [name: string]: string }): string {
    return Object.entries(attributes)
      .map(([key, value]) => {
        if (key === 'id') return uniqueId(value)
        if (key === 'href' && name === 'a') return hrefOf(value)
        return isKept(name, key, value, math > 0) ? ` ${key}="${escaped(value)}"` : ''
      })
      .join('')
  }

  function hrefOf(value: string): string {
    if (value.startsWith('#')) return ` href="\0${idOf(decoded(value.slice(1)))}"`
    const to = link(value)
    return to === undefined ? '' : ` href="${escaped(to)}"`
  }

  function uniqueId(value: string): string {
    const id = idOf(value)
    if (ids.has(id)) return ''
    ids.add(id)
    return ` id="${id}"`
  }

  const parser = new Parser(
    {
      onopentag: (name, attributes) => void open.push(start(name, attributes)),
      onclosetag(name) {
        if (open.pop()) parts.push(`</${name}>`)
        if (DROPPED.has(name)) dropped -= 1
        if (name === 'math' && math > 0) math -= 1
      },
      ontext: (text) => void (dropped === 0 && parts.push(escaped(text))),
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  for (let at = 0; at < html.length; at += SLICE) {
    parser.write(html.slice(at, at + SLICE))
    if (at > 0) await setImmediate()
  }
  parser.end()
  // Whether a section is there is known at the end. No text has a NUL.
  const xhtml = parts
    .join('')
    .replaceAll(/ href="\0([^"]*)"/g, (_, id: string) => (ids.has(id) ? ` href="#${id}"` : ''))
  return { xhtml, hasMath }
}

/** Whether an attribute is one of the book, and its value one that a book may have. */
function isKept(name: string, key: string, value: string, isInMath: boolean): boolean {
  const isSafe = isInMath ? !/^(?:on|style|href|xlink|xmlns|class)/.test(key) : ATTRIBUTES.has(key)
  const isSize = name === 'img' && (key === 'width' || key === 'height')
  return isSafe && /^[a-z][\w-]*$/i.test(key) && (!isSize || /^\d+$/.test(value))
}

/** An id that XML allows, whatever the words of a heading are. */
export const idOf = (id: string): string =>
  `i-${id.replaceAll(/[^\w.-]/gu, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}`)}`

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const escapes: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for XML, without characters that XML forbids. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- XML forbids exactly these
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character)
