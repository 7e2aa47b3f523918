import type { Delimiter, MarkdownIt, StateInline, Token } from 'markdown-it'

const TILDE = 0x7e
/** Runs of one tilde pair only with runs of one, runs of two only with runs of two. */
const MARKERS = { 1: -TILDE, 2: TILDE } as const

/** GitHub's strikethrough: one tilde or two, but not three; markdown-it's own knows two and more. */
export function strikethrough(md: MarkdownIt): void {
  md.inline.ruler.at('strikethrough', tokenize)
  md.inline.ruler2.at('strikethrough', (state) => {
    pair(state, state.delimiters)
    for (const meta of state.tokens_meta) if (meta?.delimiters) pair(state, meta.delimiters)
    return true
  })
}

function tokenize(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false
  const { can_open, can_close, length } = state.scanDelims(state.pos, true)
  const token = state.push('text', '', 0)
  token.content = '~'.repeat(length)
  if (length === 1 || length === 2) {
    state.delimiters.push({
      marker: MARKERS[length],
      length: 0, // the rule of three is for emphasis alone
      token: state.tokens.length - 1,
      end: -1,
      open: can_open,
      close: can_close,
    })
  }
  state.pos += length
  return true
}

function pair(state: StateInline, delimiters: Delimiter[]): void {
  for (const { marker, token, end } of delimiters) {
    const closer = delimiters[end]
    if (Math.abs(marker) !== TILDE || !closer) continue
    turnInto(state.tokens[token], 1)
    turnInto(state.tokens[closer.token], -1)
  }
}

function turnInto(token: Token | undefined, nesting: 1 | -1): void {
  if (!token) return
  Object.assign(token, { type: nesting === 1 ? 'del_open' : 'del_close', tag: 'del', nesting })
  token.markup = token.content
  token.content = ''
}
