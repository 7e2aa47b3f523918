import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { addressEnd, BEFORE_WWW } from './addresses.ts'

/** Matches the end of plain text: a character that may be markup, or a URL that begins with `www.`. */
const textEnd = new RegExp(
  String.raw`[\n!#-&*+\-:<=>@[-\x60{}~]|(?=www\.)(?<=^|${BEFORE_WWW.source})www\.`,
  'giu',
)
const scheme = /(?:^|[^a-z])(https?)$/i
/** Not behind another `@`: `@ada@example.social` is the name of an account there. */
const email =
  /(?<![\w.+/@-])(?:mailto:|xmpp:)?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?![\w-])(?<![-_])/gi

/** GitHub's extended autolinks: bare URLs with http://, https:// or www., and email addresses. */
export function autolinks(md: MarkdownIt): void {
  md.inline.ruler.at('text', text)
  md.inline.ruler.before('text', 'www_autolink', www)
  md.inline.ruler.at('linkify', url)
  md.core.ruler.at('linkify', emails)
}

function text(state: StateInline, silent: boolean): boolean {
  textEnd.lastIndex = state.pos
  const end = Math.min(textEnd.exec(state.src)?.index ?? state.posMax, state.posMax)
  if (end === state.pos) return false
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

/** In silent mode markdown-it looks for the end of a link's text, and links do not nest. */
const isExcluded = (state: StateInline, silent: boolean) => silent || state.linkLevel > 0

function www(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (isExcluded(state, silent) || !/^www\.$/i.test(src.slice(pos, pos + 4))) return false
  if (pos > 0 && !BEFORE_WWW.test(src.charAt(pos - 1))) return false
  const end = addressEnd(src, pos, state.posMax, 2)
  if (end === undefined) return false
  const words = src.slice(pos, end)
  pushLink(state, words, `http://${words}`)
  state.pos = end
  return true
}

function url(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (isExcluded(state, silent) || !src.startsWith('://', pos)) return false
  const [, name] = scheme.exec(state.pending.slice(-6)) ?? []
  if (name === undefined) return false
  const end = addressEnd(src, pos + 3, state.posMax, 1)
  if (end === undefined) return false
  state.pending = state.pending.slice(0, -name.length)
  const words = src.slice(pos - name.length, end)
  pushLink(state, words, words)
  state.pos = end
  return true
}

function pushLink(state: StateInline, words: string, url: string): void {
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', state.md.normalizeLink(url)]]
  open.info = 'auto'
  state.push('text', '', 0).content = words
  state.push('link_close', 'a', -1).info = 'auto'
}

function emails({ tokens, Token: TokenClass, md }: StateCore): void {
  const make = (type: string, tag: string, nesting: 1 | 0 | -1, fields: Partial<Token>) =>
    Object.assign(new TokenClass(type, tag, nesting), fields)
  const linked = (words: string): Token[] => {
    const href = md.normalizeLink(/^(?:mailto|xmpp):/i.test(words) ? words : `mailto:${words}`)
    return [
      make('link_open', 'a', 1, { attrs: [['href', href]], info: 'auto' }),
      make('text', '', 0, { content: words }),
      make('link_close', 'a', -1, { info: 'auto' }),
    ]
  }
  const split = (content: string): Token[] => {
    const parts: Token[] = []
    let last = 0
    for (const { 0: words, index } of content.matchAll(email)) {
      if (index > last) parts.push(make('text', '', 0, { content: content.slice(last, index) }))
      parts.push(...linked(words))
      last = index + words.length
    }
    if (last < content.length) parts.push(make('text', '', 0, { content: content.slice(last) }))
    return parts
  }
  for (const inline of tokens) {
    if (!inline.children || !inline.content.includes('@')) continue
    let inLink = 0
    inline.children = inline.children.flatMap((token) => {
      if (token.type === 'link_open') inLink++
      if (token.type === 'link_close') inLink--
      return token.type === 'text' && inLink === 0 && token.content.includes('@')
        ? split(token.content)
        : [token]
    })
  }
}
