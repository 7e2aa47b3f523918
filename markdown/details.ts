import type { MarkdownIt, StateBlock } from 'markdown-it'

const OPENING = /^<details(?: open(?:="(?:open)?")?)?>/i
const CLOSING = /^<\/details>$/i
const SUMMARY = /^<summary>(.*)<\/summary>$/i
const WITHOUT_SUMMARY = 'Details'
/** Those further in stay text. */
const DEPTH_MAX = 10

/**
 * `<details>` with its summary in one line, which GitHub and most programs for notes fold: Markdown has no mark for it. Both tags
 * begin a line; without its partner a tag stays text.
 */
export function details(md: MarkdownIt): void {
  md.block.ruler.before('paragraph', 'details', readDetails, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
}

function readDetails(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const isCode = (state.sCount[startLine] ?? 0) - state.blkIndent >= 4
  const written = lineOf(state, startLine)
  const [opening] = isCode ? [] : (OPENING.exec(written) ?? [])
  if (opening === undefined) return false
  const block = readBlock(state, startLine, endLine)
  const closeLine = block.pairs.get(startLine)
  if (closeLine === undefined || !isInside(state, block, startLine, closeLine)) return false
  if (silent) return true
  const { line, text } = summaryOf(state, startLine, closeLine, written.slice(opening.length).trim())
  const { parentType, lineMax } = state
  state.push('details_open', 'details', 1).map = [startLine, closeLine + 1]
  if (opening.length > '<details>'.length) state.tokens.at(-1)?.attrSet('open', '')
  state.push('summary_open', 'summary', 1)
  const inline = state.push('inline', '', 0)
  Object.assign(inline, { content: text, map: [startLine, line], children: [] })
  state.push('summary_close', 'summary', -1)
  state.parentType = 'blockquote'
  state.lineMax = closeLine
  state.md.block.tokenize(state, line, closeLine)
  Object.assign(state, { parentType, lineMax })
  state.push('details_close', 'details', -1)
  state.line = closeLine + 1
  return true
}

/** Returns the summary, and the line after it. What follows the opening tag in its line is the summary too. */
function summaryOf(state: StateBlock, startLine: number, closeLine: number, beside: string) {
  if (beside !== '') return { line: startLine + 1, text: SUMMARY.exec(beside)?.[1]?.trim() || beside }
  const next = startLine + 1
  const [, text] = next < closeLine ? (SUMMARY.exec(lineOf(state, next)) ?? []) : []
  return text === undefined
    ? { line: next, text: WITHOUT_SUMMARY }
    : { line: next + 1, text: text.trim() || WITHOUT_SUMMARY }
}

const lineOf = (state: StateBlock, line: number) =>
  state.src
    .slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
    .slice(0, 1_000)
    .trim()

/** The closing line of each opening one, also of those further in, and a line that ends the item or the quote of some. */
type Block = { from: number; pairs: Map<number, number>; outside: number }

/** Reads each block once: many tags without a partner would otherwise be searched for again and again. */
function readBlock(state: StateBlock, startLine: number, endLine: number): Block {
  const blocks = (state.env.details ??= new Map()) as Map<string, Block>
  const key = `${state.level} ${endLine}`
  const known = blocks.get(key)
  if (known && known.from <= startLine) return known
  const pairs = new Map<number, number>()
  const open: number[] = []
  let fence = ''
  for (let line = startLine; line < endLine; line += 1) {
    const text = lineOf(state, line)
    const [marks = ''] = /^(?:`{3,}|~{3,})/.exec(text) ?? []
    if (fence === '') fence = marks
    else if (marks !== '' && text.startsWith(fence)) fence = ''
    if (fence !== '' || marks !== '') continue
    if (OPENING.test(text)) open.push(line)
    else if (CLOSING.test(text)) {
      const opened = open.pop()
      if (opened !== undefined && open.length < DEPTH_MAX) pairs.set(opened, line)
    }
  }
  const block = { from: startLine, pairs, outside: -1 }
  blocks.set(key, block)
  return block
}

/** Whether the closing line is in the same item or quote. */
function isInside(state: StateBlock, block: Block, startLine: number, closeLine: number): boolean {
  if (startLine < block.outside && block.outside <= closeLine) return false
  for (let line = startLine + 1; line <= closeLine; line += 1) {
    if ((state.sCount[line] ?? 0) >= state.blkIndent || state.isEmpty(line)) continue
    block.outside = line
    return false
  }
  return true
}
