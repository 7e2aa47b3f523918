import type { MarkdownIt, StateInline } from 'markdown-it'

const LESS_THAN = 0x3c
/** A tag with its attributes is at most this long. */
const TAG_MAX = 2_000
const TAG = /^<(?:(img)\s([^<>]*)>|iframe\s([^<>]*)>\s*<\/iframe>)/i
const ANCHOR = /^<a\s([^<>]*)>/i
const END_OF_ANCHOR = /<\/a>|<a\s/gi
/** What would be a link within it. */
const LINK = /(?<!!)\[|<[a-z][a-z\d+.-]*[:@]/i
const ATTRIBUTE = /(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi

/**
 * The tags with which people embed pictures and videos, because GitHub writes them for a dropped picture and video sites offer them for
 * copying: `<img>` is a picture, and `<iframe>` a link to what it would show. `<a>` is a link, as around the badges of a README. Of their
 * attributes only `src`, `alt` and `href` are read.
 */
export function embeddedHtml(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'embedded_html', readEmbedded)
}

function readEmbedded(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== LESS_THAN) return false
  const written = state.src.slice(state.pos, state.pos + TAG_MAX)
  const [tag, image, ofImage, ofFrame = ''] = TAG.exec(written) ?? []
  if (tag === undefined) return readAnchor(state, silent, written)
  const { src = '', alt = '' } = attributesIn(state, ofImage ?? ofFrame)
  const isRead = image ? pushImage(state, silent, src, alt) : pushLink(state, silent, src)
  if (isRead) state.pos += tag.length
  return isRead
}

/** What is between the tags is read like the words of a link. */
function readAnchor(state: StateInline, silent: boolean, written: string): boolean {
  const [tag, attributes = ''] = ANCHOR.exec(written) ?? []
  if (tag === undefined || state.linkLevel > 0) return false
  END_OF_ANCHOR.lastIndex = tag.length
  const end = END_OF_ANCHOR.exec(written)
  const from = state.pos + tag.length
  const to = state.pos + (end?.index ?? 0)
  if (end?.[0].length !== '</a>'.length || to + '</a>'.length > state.posMax) return false
  const { href = '' } = attributesIn(state, attributes)
  if (href === '' || LINK.test(state.src.slice(from, to)) || !isWhole(state, from, to)) return false
  if (!silent) pushWords(state, state.md.normalizeLink(href), from, to)
  state.pos = to + '</a>'.length
  return true
}

/** Whether code and comments that begin between these positions end there too: those that do not contain the end of the link. */
function isWhole(state: StateInline, from: number, to: number): boolean {
  const { pos } = state
  state.pos = from
  while (state.pos < to) state.md.inline.skipToken(state)
  const isEnd = state.pos === to
  state.pos = pos
  return isEnd
}

function pushWords(state: StateInline, href: string, from: number, to: number): void {
  const { posMax } = state
  Object.assign(state, { pos: from, posMax: to })
  state.push('link_open', 'a', 1).attrs = [['href', href]]
  state.linkLevel += 1
  state.md.inline.tokenize(state)
  state.linkLevel -= 1
  state.push('link_close', 'a', -1)
  state.posMax = posMax
}

function attributesIn(state: StateInline, text: string): { [name: string]: string } {
  const { unescapeAll } = state.md.utils
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare = '']) => [
      name.toLowerCase(),
      unescapeAll((double ?? single ?? bare).replaceAll('\\', '\\\\')).trim(),
    ]),
  )
}

function pushImage(state: StateInline, silent: boolean, src: string, alt: string): boolean {
  if (src === '') return false
  if (silent) return true
  const image = state.push('image', 'img', 0)
  image.attrs = [
    ['src', state.md.normalizeLink(src)],
    ['alt', ''],
  ]
  image.content = alt
  image.children = [Object.assign(new state.Token('text', '', 0), { content: alt })]
  return true
}

/** Like a bare address, so that a video which is alone in its paragraph is played in the page. */
function pushLink(state: StateInline, silent: boolean, src: string): boolean {
  const url = src.startsWith('//') ? `https:${src}` : src
  if (!/^https?:\/\/[^\s]+$/i.test(url) || state.linkLevel > 0) return false
  if (silent) return true
  const href = state.md.normalizeLink(url)
  const link = state.push('link_open', 'a', 1)
  link.attrs = [['href', href]]
  link.info = 'auto'
  state.push('text', '', 0).content = href
  state.push('link_close', 'a', -1)
  return true
}
