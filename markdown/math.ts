import type { Env, MarkdownIt, StateBlock, StateCore, StateInline } from 'markdown-it'
import { leftToRight } from './directions.ts'
import { mathmlOf } from './extras.ts'

const DOLLAR = 0x24
const BACKSLASH = 0x5c
/** The maximum number of lines of a display formula. */
const LINES_MAX = 100

/**
 * Formulas as on GitHub: `$x$` or `` $`x`$ `` inline, `$$x$$` or code of the language `math` displayed; and as chats and LaTeX write them: `\(x\)` inline, `\[x\]` displayed, alone on
 * its lines.
 */
export function math(md: MarkdownIt): void {
  const alt = ['paragraph', 'reference', 'blockquote', 'list']
  md.inline.ruler.after('escape', 'math', inline)
  md.inline.ruler.before('escape', 'math_brackets', inBrackets)
  md.block.ruler.after('fence', 'math_block', blockBetween('$$', '$$', isAny), { alt })
  md.block.ruler.after('fence', 'math_block_brackets', blockBetween('\\[', '\\]', isTex), { alt })
  md.core.ruler.after('block', 'math_fence', ({ tokens }: StateCore) => {
    for (const token of tokens)
      if (token.type === 'fence' && token.info.trim() === 'math' && token.content.trim() !== '')
        Object.assign(token, { type: 'math_block', content: token.content.trim(), markup: '$$' })
  })
  const { escapeHtml } = md.utils
  const display = (mathml: string, element: 'div' | 'span', env: Env | undefined) =>
    `<${element} class="math-display" role="group" aria-label="Formula" tabindex="0"${leftToRight(env)}>${mathml}</${element}>`
  md.renderer.rules.math_inline = (tokens, index, _options, env) => {
    const { content = '', markup = '' } = tokens[index] ?? {}
    const mathml = mathmlOf(env ?? {}, content, markup === '$$')
    if (mathml === undefined) return escapeHtml(markup + content + (CLOSING[markup] ?? markup))
    return markup === '$$' ? display(mathml, 'span', env) : mathml
  }
  md.renderer.rules.math_block = (tokens, index, _options, env) => {
    const { content = '', markup = '' } = tokens[index] ?? {}
    const mathml = mathmlOf(env ?? {}, content, true)
    return mathml === undefined
      ? `<p class="math-source"${leftToRight(env)}>${escapeHtml(`${markup}\n${content}\n${CLOSING[markup] ?? markup}`)}</p>\n`
      : `${display(mathml, 'div', env)}\n`
  }
}

/** The closing of an opening that is not the same. */
const CLOSING: { [opening: string]: string } = { '\\(': '\\)', '\\[': '\\]' }

const isAny = () => true
/** Whether a text in escaped brackets is a formula and not a sentence whose brackets a program has escaped. */
const isTex = (text: string) => /\\[a-z]|[\^=]|(?<!\\)_/i.test(text)
const isShort = (text: string) => /^\s*[^\s\\]{1,3}\s*$/.test(text)
const FORMULA_MAX = 1_500

const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character)
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/**
 * A dollar sign opens a formula only if no space follows and no word precedes it; it closes one only if no space precedes and no
 * word follows it, so that amounts of money are unchanged. Only the next dollar sign may close, which keeps this linear.
 */
function inline(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== DOLLAR) return false
  const run = runAt(src, pos, posMax)
  const start = pos + run
  const end = run <= 2 ? nextRun(src, start, posMax, run) : -1
  const isFormula =
    end > start &&
    (run === 2 ? src.slice(start, end).trim() !== '' : !isSpace(src[start]) && !isSpace(src[end - 1])) &&
    !isWord(src[pos - 1]) &&
    !isWord(src[end + run])
  if (!silent) {
    if (isFormula) {
      const token = state.push('math_inline', 'math', 0)
      const content = src.slice(start, end)
      const [, inCode] = /^`([^`]+)`$/.exec(content) ?? []
      token.content = run === 1 ? (inCode ?? content) : content
      token.markup = '$'.repeat(run)
    } else state.pending += '$'.repeat(run)
  }
  state.pos = isFormula ? end + run : start
  return true
}

/** The next `\)` closes a formula that `\(` opened, unless another one opens before. */
function inBrackets(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== BACKSLASH || src[pos + 1] !== '(' || src[pos - 1] === ']') return false
  const written = src.slice(pos + 2, Math.min(posMax, pos + 2 + FORMULA_MAX))
  const content = written.slice(0, Math.max(0, written.indexOf('\\)')))
  if (content.trim() === '' || content.includes('\\(') || !(isTex(content) || isShort(content))) return false
  if (!silent) Object.assign(state.push('math_inline', 'math', 0), { content: content.trim(), markup: '\\(' })
  state.pos = pos + content.length + 4
  return true
}

function runAt(src: string, from: number, to: number): number {
  let end = from
  while (end < to && src.charCodeAt(end) === DOLLAR) end++
  return end - from
}

/** Returns the index of the next unescaped run of at least `length` dollar signs, if its length is exactly that; else -1. */
function nextRun(src: string, from: number, to: number, length: number): number {
  for (let at = from; at < to; at++) {
    const code = src.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === DOLLAR) {
      const run = runAt(src, at, to)
      if (run === length) return at
      if (run > length) return -1
      at += run - 1
    }
  }
  return -1
}

/** The opening begins a formula at the start of a line, and the closing ends it at the end of one. */
function blockBetween(opening: string, closing: string, isFormula: (text: string) => boolean) {
  return function block(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
    const first = lineOf(state, startLine)
    if (!first.startsWith(opening) || first[2] === '$') return false
    if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false
    const begun = first.slice(2)
    const closesAtOnce = begun.length > 2 && begun.endsWith(closing)
    const within = closesAtOnce ? begun.slice(0, -2) : begun
    if (within.includes(closing)) return false
    const end = closesAtOnce ? startLine : lastLine(state, startLine, endLine, closing)
    if (end === undefined) return false
    const between = closesAtOnce
      ? ''
      : `\n${state.getLines(startLine + 1, end, state.sCount[startLine] ?? 0, true)}${lineOf(state, end).slice(0, -2)}`
    const content = `${within}${between}`.trim()
    if (!isFormula(content)) return false
    if (silent) return true
    const token = state.push('math_block', 'math', 0)
    token.block = true
    token.content = content
    token.markup = opening
    token.map = [startLine, end + 1]
    state.line = end + 1
    return true
  }
}

const lineOf = ({ src, bMarks, tShift, eMarks }: StateBlock, line: number) =>
  src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]).trimEnd()

/** Returns the line with the closing, unless the formula's container or an empty line ends before it. */
function lastLine(
  state: StateBlock,
  startLine: number,
  endLine: number,
  closing: string,
): number | undefined {
  for (let line = startLine + 1; line < Math.min(endLine, startLine + LINES_MAX); line++) {
    const text = lineOf(state, line)
    if (text === '' || (state.sCount[line] ?? 0) < state.blkIndent) return undefined
    if (text.endsWith(closing)) return line
  }
  return undefined
}
