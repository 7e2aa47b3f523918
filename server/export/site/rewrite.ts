import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'

/** Parsing this much takes a few milliseconds. */
const SLICE = 32_768
const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])
/** Attributes that hold a URL. */
const ADDRESSES = new Set(['href', 'src', 'poster', 'action'])
/** Parts of a page that only the server's own pages use: scripts, the navigation bar, the Loading screen. */
const ABSENT_IDS = new Set(['bar', 'announcement'])
/** Metadata with absolute addresses on the server. */
const SERVER_META = /^(?:og:(?:image|url)|twitter:)/
/** Marks what a page offers only with a server, such as its search. */
const ONLINE = 'data-online'
/** Its value for what the search of a site needs. */
const SEARCH = 'search'

/** Returns where a URL of the page leads in the site: undefined if it does not. */
export type Resolve = (url: string, element: string) => string | undefined

/**
 * Returns a public page as a file: its addresses are those that `resolve` returns, and what needs a server or scripts is not in it. It is
 * parsed in slices, so that a long page holds nobody up. `withSearch`: whether the site has a search.
 */
export async function rewritePage(html: string, resolve: Resolve, withSearch = false): Promise<string> {
  const parts: string[] = ['<!doctype html>\n']
  /** For each open element whether its end tag is written. */
  const open: boolean[] = []
  let dropped = 0

  function start(name: string, attributes: { [name: string]: string }): boolean {
    if (dropped > 0 || isAbsent(name, attributes, withSearch)) {
      dropped += 1
      return false
    }
    const written = attributesOf(name, attributes, resolve)
    if (name === 'img' && !('src' in written)) {
      parts.push(escaped(attributes.alt ?? ''))
      return false
    }
    if (
      (name === 'link' || name === 'source') &&
      !('href' in written || 'src' in written || 'srcset' in written)
    )
      return false
    parts.push(
      `<${name}${Object.entries(written)
        .map(([key, value]) => (value === '' ? ` ${key}` : ` ${key}="${escaped(value)}"`))
        .join('')}>`,
    )
    return !VOID.has(name)
  }

  const parser = new Parser(
    {
      onopentag: (name, attributes) => void open.push(start(name, attributes)),
      onclosetag(name) {
        if (dropped > 0) dropped -= 1
        if (open.pop()) parts.push(`</${name}>`)
      },
      ontext: (text) => void (dropped === 0 && parts.push(escaped(text))),
    },
    { decodeEntities: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
  )
  for (let at = 0; at < html.length; at += SLICE) {
    parser.write(html.slice(at, at + SLICE))
    if (at > 0) await setImmediate()
  }
  parser.end()
  return `${parts.join('')}\n`
}

const isAbsent = (
  name: string,
  { id = '', property = '', name: meta = '', ...rest }: { [name: string]: string },
  withSearch: boolean,
) =>
  name === 'script' ||
  name === 'output' ||
  ABSENT_IDS.has(id) ||
  (ONLINE in rest && !(withSearch && rest[ONLINE] === SEARCH)) ||
  (name === 'meta' && SERVER_META.test(property || meta))

function attributesOf(name: string, attributes: { [name: string]: string }, resolve: Resolve) {
  // The theme is that of the reader's system.
  const written: { [name: string]: string } = name === 'html' ? { 'data-theme': 'system' } : {}
  for (const [key, value] of Object.entries(attributes)) {
    // The fonts of a page of the server wait for its script.
    if (key === 'data-fonts' || key === 'popovertarget' || key === 'fetchPriority') continue
    if (ADDRESSES.has(key)) {
      const to = value.startsWith('#') ? value : resolve(value, name)
      if (to !== undefined) written[key] = to
    } else if (key.toLowerCase() === 'srcset') {
      const candidates = value.split(/,\s+/).flatMap((candidate) => {
        const [url = '', ...size] = candidate.trim().split(/\s+/)
        const to = resolve(url, name)
        return to === undefined ? [] : [[to, ...size].join(' ')]
      })
      if (candidates.length > 0) written.srcset = candidates.join(', ')
    } else written[key] = value
  }
  return written
}

const ESCAPES: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
