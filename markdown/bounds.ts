import type { Env, MarkdownIt, StateCore, Token } from 'markdown-it'

/** A text whose structure is beyond what is formatted. */
export class TooComplex extends Error {}

const CELLS_MAX = 20_000
const FOOTNOTES_MAX = 1_000
/** markdown-it drops what is nested deeper than its `maxNesting`; we show such a text as plain instead. */
export const NESTING_MAX = 100

type Footnotes = { list?: unknown[] }

/** Stops as soon as it is known that a text is beyond the bounds, before time and memory are spent on it. */
export function boundComplexity(md: MarkdownIt): void {
  md.core.ruler.after('block', 'bound_blocks', ({ tokens }: StateCore) => {
    const cells = tokens.reduce((count, { type }) => count + Number(isCell(type)), 0)
    if (cells > CELLS_MAX) throw new TooComplex('cells')
    if (tokens.some(({ level }) => level >= NESTING_MAX - 1)) throw new TooComplex('nesting')
  })
  md.core.ruler.before('footnote_tail', 'bound_footnotes', ({ env }: StateCore) => {
    if (footnotesIn(env) > FOOTNOTES_MAX) throw new TooComplex('footnotes')
  })
}

const isCell = (type: Token['type']) => type === 'td_open' || type === 'th_open'

const footnotesIn = (env: Env) => (env.footnotes as Footnotes | undefined)?.list?.length ?? 0
