import MarkdownIt, {
  type Env,
  type MarkdownIt as Parser,
  type RendererRule,
  type StateCore,
  type Token,
} from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import footnotes from 'markdown-it-footnote'
import { withAsciiHost } from './addresses.ts'
import { autolinks } from './autolinks.ts'
import { details } from './details.ts'
import { directions, leftToRight } from './directions.ts'
import { embeddedHtml } from './embedded-html.ts'
import { extrasFor, type Highlight, highlighted, type ToMathml } from './extras.ts'
import { frontMatter } from './front-matter.ts'
import { callouts, footnoteMarkup, taskLists } from './github-extensions.ts'
import { headings, headingsOf } from './headings.ts'
import { inlineHtml } from './inline-html.ts'
import { linksAndImages, videos } from './links.ts'
import { math } from './math.ts'
import { noBreakSpaces } from './no-break-spaces.ts'
import { pairedMarks } from './paired-marks.ts'
import { renderPlainText } from './plain-text.ts'
import type { Rendering } from './rendering.ts'
import { countWords, excerptOf, readableText, wordsOf } from './words.ts'

/** Thrown for a text whose structure exceeds the complexity limits. */
class TooComplex extends Error {}

const CELLS_MAX = 20_000
const FOOTNOTES_MAX = 1_000
/** markdown-it drops content that is nested deeper than its `maxNesting`; such a text is shown as plain text instead. */
const NESTING_MAX = 100

/**
 * CommonMark with GitHub's extensions, footnotes, formulas, callouts and videos, and the little HTML of
 * inline-html.ts and embedded-html.ts; all other HTML is text. A line break is one, as in the composer, and emphasis works next to East Asian
 * punctuation.
 */
const parser = createParser()

function createParser() {
  const md = new MarkdownIt({ html: false, breaks: true, maxNesting: NESTING_MAX })
  // URLs are only percent-encoded here; links.ts decides which targets are allowed.
  md.normalizeLink = (url) => md.utils.lib.mdurl.encode(withAsciiHost(url))
  md.normalizeLinkText = (text) => text
  md.validateLink = () => true
  md.renderer.renderInlineAsText = (tokens) => wordsOf(tokens ?? [])
  return md
    .use(footnotes)
    .use(noBreakSpaces)
    .use(frontMatter)
    .use(cjkFriendly)
    .use(boundComplexity)
    .use(pairedMarks)
    .use(autolinks)
    .use(inlineHtml)
    .use(embeddedHtml)
    .use(details)
    .use(math)
    .use(callouts)
    .use(taskLists)
    .use(headings)
    .use(linksAndImages)
    .use(videos)
    .use(scrollingBlocks)
    .use(directions)
    .use(footnoteMarkup)
}

const reachable = (label: string) => `role="group" aria-label="${label}" tabindex="0"`

/** Makes tables and code, which may be wider than the page, scrollable regions that the keyboard can focus. */
function scrollingBlocks(md: Parser): void {
  const { rules } = md.renderer
  rules.table_open = (tokens, index, _options, _env, renderer) =>
    `<div class="prose-scroll"${renderer.renderAttrs(tokens[index] as Token)} ${reachable('Table')}><table>\n`
  rules.table_close = () => '</table></div>\n'
  for (const name of ['code_block', 'fence'] as const) {
    const written = rules[name] as RendererRule
    rules[name] = (tokens, index, options, env, renderer) =>
      written(tokens, index, options, env, renderer).replace(
        /^<pre>/,
        `<pre ${reachable('Code')}${leftToRight(env)}>`,
      )
  }
  md.core.ruler.push('align_cells', alignCells)
}

/** Replaces the style attributes of cells, which the content security policy forbids. */
function alignCells({ tokens }: StateCore): void {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const [, side] = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? '')) ?? []
    token.attrs = side === undefined ? null : [['data-align', side]]
  }
}

type Footnotes = { list?: unknown[] }

/** Stops as soon as a text exceeds the complexity limit, before time and memory are spent on it. */
function boundComplexity(md: Parser): void {
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

export const HTML_MAX = 2_000_000
/** HTML up to this length is always accepted; longer HTML only in proportion to its source. */
const HTML_FREE = 64_000
const HTML_PER_CHARACTER = 8

/** Limits the HTML by the length of its source, because stored HTML does not count towards any quota and its source does. */
export const htmlMaxOf = (content: string): number =>
  Math.min(HTML_MAX, Math.max(HTML_FREE, HTML_PER_CHARACTER * content.length))

/**
 * Renders Markdown with the given code highlighter and formula renderer; without them, code is not highlighted and formulas are
 * shown as TeX. It is synchronous and pure. A text beyond the complexity limits is rendered as plain text.
 */
export function formatMarkdown(
  content: string,
  extras: { highlight?: Highlight; toMathml?: ToMathml },
): Rendering {
  try {
    return formatted(content, extrasFor(content, extras))
  } catch (error) {
    // A RangeError means that the stack or a string grew too large.
    if (error instanceof TooComplex || error instanceof RangeError) return renderPlainText(content)
    throw error
  }
}

function formatted(content: string, env: ReturnType<typeof extrasFor>): Rendering {
  const tokens: Token[] = parser.parse(content, env)
  const highlight = (code: string, language: string) => highlighted(env, code, language) ?? ''
  const html = parser.renderer.render(tokens, { ...parser.options, highlight }, env).trim()
  if (html.length > htmlMaxOf(content)) throw new TooComplex('html')
  return {
    html: `<div class="prose">${html}</div>`,
    excerpt: excerptOf(tokens),
    wordCount: countWords(readableText(tokens)),
    headings: headingsOf(tokens),
    renderedAs: 'markdown',
  }
}
