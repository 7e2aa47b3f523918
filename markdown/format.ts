import type { Token } from 'markdown-it'
import { extrasFor, type Highlight, highlighted, type ToMathml } from './extras.ts'
import { headingsOf } from './headings.ts'
import { parser, TooComplex } from './parser.ts'
import { renderPlainText } from './plain-text.ts'
import type { Rendering } from './rendering.ts'
import { countWords, excerptOf, readableText } from './words.ts'

export const HTML_MAX = 2_000_000
/** HTML of up to this length is kept whatever its source; longer HTML only in proportion to it. */
const HTML_FREE = 64_000
const HTML_PER_CHARACTER = 8

/** HTML is stored and counts against nobody's quota, so a text that its author pays for bounds it. */
export const htmlMaxOf = (content: string): number =>
  Math.min(HTML_MAX, Math.max(HTML_FREE, HTML_PER_CHARACTER * content.length))

/**
 * Renders Markdown with the given code highlighter and formula renderer; without one, code is not highlighted and
 * formulas are shown as TeX. It is synchronous and pure. A text beyond the structural bounds is rendered as plain text.
 */
export function formatMarkdown(
  content: string,
  extras: { highlight?: Highlight; toMathml?: ToMathml },
): Rendering {
  try {
    return formatted(content, extrasFor(content, extras))
  } catch (error) {
    // A RangeError is a stack or a string that grew too large.
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
