import type { Delimiter, MarkdownIt, StateInline, Token } from 'markdown-it'

/** What a run of a character means by its length. A run matches only a run of the same kind. */
type Mark = { kind: number; tag: 'del' | 'mark'; isWithinWords: boolean }

const TILDE = 0x7e
const EQUALS = 0x3d

/** One tilde and two equals signs are no marks within a word: `10~20`, `H~2~O`, `a==b`. */
const MARKS: { [character: number]: { [length: number]: Mark } } = {
  [TILDE]: {
    1: { kind: -TILDE, tag: 'del', isWithinWords: false },
    2: { kind: TILDE, tag: 'del', isWithinWords: true },
  },
  [EQUALS]: { 2: { kind: EQUALS, tag: 'mark', isWithinWords: false } },
}
const TAGS = new Map(Object.values(MARKS).flatMap((byLength) => Object.values(byLength).map(tagOfKind)))

function tagOfKind({ kind, tag }: Mark): [number, Mark['tag']] {
  return [kind, tag]
}

/** GitHub's strikethrough, one tilde or two but not three, and `==highlighted==` words, as most programs for notes write them. */
export function pairedMarks(md: MarkdownIt): void {
  md.inline.ruler.at('strikethrough', tokenize)
  md.inline.ruler2.at('strikethrough', (state) => {
    pair(state, state.delimiters)
    for (const meta of state.tokens_meta) if (meta?.delimiters) pair(state, meta.delimiters)
    return true
  })
}

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

function tokenize(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  const byLength = MARKS[src.charCodeAt(pos)]
  if (silent || !byLength) return false
  const { can_open, can_close, length } = state.scanDelims(pos, true)
  const token = state.push('text', '', 0)
  token.content = src.slice(pos, pos + length)
  const mark = byLength[length]
  if (mark) {
    state.delimiters.push({
      marker: mark.kind,
      length: 0, // the rule of three applies only to emphasis
      token: state.tokens.length - 1,
      end: -1,
      open: can_open && (mark.isWithinWords || !isWord(src[pos - 1])),
      close: can_close && (mark.isWithinWords || !isWord(src[pos + length])),
    })
  }
  state.pos += length
  return true
}

function pair(state: StateInline, delimiters: Delimiter[]): void {
  for (const { marker, token, end } of delimiters) {
    const closer = delimiters[end]
    const tag = TAGS.get(marker)
    if (!tag || !closer) continue
    turnInto(state.tokens[token], tag, 1)
    turnInto(state.tokens[closer.token], tag, -1)
  }
}

function turnInto(token: Token | undefined, tag: Mark['tag'], nesting: 1 | -1): void {
  if (!token) return
  Object.assign(token, { type: `${tag}_${nesting === 1 ? 'open' : 'close'}`, tag, nesting })
  token.markup = token.content
  token.content = ''
}
