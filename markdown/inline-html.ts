import type { MarkdownIt, StateBlock, StateCore, StateInline, Token } from 'markdown-it'

/** The elements of HTML that people write in Markdown because it has no marks for them. They have no attributes here. */
const NAMES = 'b|del|em|i|ins|kbd|mark|s|small|strong|sub|sup|u'
const BREAK = /^<br[ \t]*\/?>/i
const TAG = new RegExp(`^<(/?)(${NAMES})>`, 'i')
const COMMENT = '<!--'
const LESS_THAN = 0x3c

/** What of a text would be read as HTML, if it is not escaped. */
export const HTML_START = new RegExp(
  `<(?=/?(?:${NAMES}|details)>|details open|br[ \\t]*/?>|(?:a|img|iframe)\\s|!--)`,
  'gi',
)

/**
 * Understands a little HTML: `<br>`, pairs of the elements above, and comments, which are not shown. Every other tag, one with
 * attributes and one without its partner stay text.
 */
export function inlineHtml(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'inline_html', readTag)
  md.core.ruler.after('inline', 'pair_html', ({ tokens }: StateCore) => {
    for (const { children } of tokens) if (children) pair(children)
  })
  md.block.ruler.before('paragraph', 'comment', readComment, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
}

function readTag(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== LESS_THAN) return false
  if (state.src.startsWith(COMMENT, state.pos)) {
    const end = endOfComment(state.src, state.pos, state.env)
    if (end >= 0) state.pos = end
    return end >= 0
  }
  const written = state.src.slice(state.pos, state.pos + 12)
  const lineBreak = BREAK.exec(written)?.[0]
  if (lineBreak !== undefined) {
    if (!silent) state.push('hardbreak', 'br', 0)
    state.pos += lineBreak.length
    return true
  }
  const [tag, slash, name = ''] = TAG.exec(written) ?? []
  if (tag === undefined) return false
  if (!silent) {
    const token = state.push('html_mark', name.toLowerCase(), 0)
    token.content = tag
    token.meta = { closes: slash === '/' }
  }
  state.pos += tag.length
  return true
}

/** Makes elements of tags that enclose whole elements, and text of all others. `tokens` are changed in place. */
function pair(tokens: readonly Token[]): void {
  const open: Token[] = []
  for (const token of tokens) {
    if (token.type === 'html_mark') {
      const opening = open.at(-1)
      if (!token.meta?.closes) open.push(token)
      else if (opening?.type === 'html_mark' && opening.tag === token.tag) {
        open.pop()
        turnInto(opening, 1)
        turnInto(token, -1)
      } else turnIntoText(token)
    } else if (token.nesting === 1) open.push(token)
    else if (token.nesting === -1)
      // Emphasis and links enclose whole elements; tags that were opened within and not closed are text.
      for (let last = open.pop(); last?.type === 'html_mark'; last = open.pop()) turnIntoText(last)
  }
  for (const token of open) if (token.type === 'html_mark') turnIntoText(token)
}

function turnInto(token: Token, nesting: 1 | -1): void {
  Object.assign(token, { type: `${token.tag}_${nesting === 1 ? 'open' : 'close'}`, nesting, content: '' })
}

function turnIntoText(token: Token): void {
  Object.assign(token, { type: 'text', tag: '' })
}

/** Reads a comment that begins a block, and that ends a line; it may have empty lines. */
function readComment(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)
  const isCode = (state.sCount[startLine] ?? 0) - state.blkIndent >= 4
  if (isCode || !state.src.startsWith(COMMENT, start)) return false
  const end = endOfComment(state.src, start, state.env)
  if (end < 0) return false
  let line = startLine
  while (line < endLine && (state.eMarks[line] ?? 0) < end) {
    line += 1
    // The comment would end below the list or the quote in which it begins.
    const isOutside = (state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line)
    if (line < endLine && isOutside) return false
  }
  if (line >= endLine || state.src.slice(end, state.eMarks[line]).trim() !== '') return false
  if (!silent) state.line = line + 1
  return true
}

/** Returns the index after a comment; -1 if it has no end. What was found once is not searched again. */
function endOfComment(src: string, start: number, env: { [key: string]: unknown }): number {
  // `<!-->` is a whole comment.
  const from = start + 2
  const known = env.commentEnd as { src: string; from: number; at: number } | undefined
  if (known?.src === src && known.from <= from && (known.at < 0 || from <= known.at)) return after(known.at)
  const at = src.indexOf('-->', from)
  env.commentEnd = { src, from, at }
  return after(at)
}

const after = (at: number) => (at < 0 ? -1 : at + '-->'.length)
