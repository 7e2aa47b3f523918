import type { MarkdownIt, StateInline } from 'markdown-it'

const LESS_THAN = 0x3c
/** A tag with its attributes is at most this long. */
const TAG_MAX = 2_000
const TAG = /^<(?:(img)\s([^<>]*)>|iframe\s([^<>]*)>\s*<\/iframe>)/i
const ATTRIBUTE = /(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi

/**
 * The tags with which people embed pictures and videos, because GitHub writes them for a dropped picture and video sites offer them for
 * copying: `<img>` is a picture, and `<iframe>` a link to what it would show. Of their attributes only `src` and `alt` are read.
 */
export function embeddedHtml(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'embedded_html', readEmbedded)
}

function readEmbedded(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== LESS_THAN) return false
  const written = state.src.slice(state.pos, state.pos + TAG_MAX)
  const [tag, image, ofImage, ofFrame = ''] = TAG.exec(written) ?? []
  if (tag === undefined) return false
  const { src = '', alt = '' } = attributesIn(state, ofImage ?? ofFrame)
  const isRead = image ? pushImage(state, silent, src, alt) : pushLink(state, silent, src)
  if (isRead) state.pos += tag.length
  return isRead
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
