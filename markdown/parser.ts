import MarkdownIt, { type MarkdownIt as Parser, type RendererRule, type StateCore } from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { autolinks } from './autolinks.ts'
import { boundComplexity, NESTING_MAX } from './bounds.ts'
import { callouts } from './callouts.ts'
import { footnoteMarkup } from './footnotes.ts'
import { headings } from './headings.ts'
import { linksAndImages } from './links.ts'
import { math } from './math.ts'
import { strikethrough } from './strikethrough.ts'
import { taskLists } from './tasks.ts'
import { videos } from './videos.ts'
import { wordsOf } from './words.ts'

/** CommonMark with GitHub's extensions, footnotes, formulas, callouts and videos; raw HTML is text. */
export const parser = createParser()

function createParser() {
  const md = new MarkdownIt({ html: false, maxNesting: NESTING_MAX })
  // Addresses are only percent-encoded; what may be a link's target is decided in links.ts.
  md.normalizeLink = (url) => md.utils.lib.mdurl.encode(url)
  md.normalizeLinkText = (text) => text
  md.validateLink = () => true
  md.renderer.renderInlineAsText = (tokens) => wordsOf(tokens ?? [])
  return md
    .use(footnotes)
    .use(boundComplexity)
    .use(strikethrough)
    .use(autolinks)
    .use(math)
    .use(callouts)
    .use(taskLists)
    .use(headings)
    .use(linksAndImages)
    .use(videos)
    .use(scrollingBlocks)
    .use(footnoteMarkup)
}

const reachable = (label: string) => `role="group" aria-label="${label}" tabindex="0"`

/** Tables and code may be wider than the page: they scroll by themselves, and the keyboard must reach them for that. */
function scrollingBlocks(md: Parser): void {
  const { rules } = md.renderer
  rules.table_open = () => `<div class="prose-scroll" ${reachable('Table')}><table>\n`
  rules.table_close = () => '</table></div>\n'
  for (const name of ['code_block', 'fence'] as const) {
    const written = rules[name] as RendererRule
    rules[name] = (...given) => written(...given).replace(/^<pre>/, `<pre ${reachable('Code')}>`)
  }
  md.core.ruler.push('align_cells', alignCells)
}

/** The content security policy allows no style attribute. */
function alignCells({ tokens }: StateCore): void {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const [, side] = /^text-align:(\w+)$/.exec(String(token.attrGet('style') ?? '')) ?? []
    token.attrs = side === undefined ? null : [['data-align', side]]
  }
}
