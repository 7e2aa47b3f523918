import type { Token } from 'markdown-it'
import { TooComplex } from './bounds.ts'
import { excerptOf, shorten } from './excerpt.ts'
import { type Heading, headingsOf } from './headings.ts'
import { parser } from './parser.ts'
import { countWords, readableText } from './words.ts'

export type { Heading }

/** Raise it whenever the same Markdown may come out differently: what is stored under another version is rendered again. */
export const RENDERER_VERSION = 2

export const HTML_MAX = 2_000_000
/** HTML of up to this length is kept whatever its source; longer HTML only in proportion to it. */
const HTML_FREE = 64_000
const HTML_PER_CHARACTER = 8

/** HTML is stored and counts against nobody's quota, so a text that its author pays for bounds it. */
export const htmlMaxOf = (content: string): number =>
  Math.min(HTML_MAX, Math.max(HTML_FREE, HTML_PER_CHARACTER * content.length))

export const PLAIN_NOTICE =
  'This text is shown as it was written: its Markdown is too complex to be formatted.'

export type Rendering = {
  html: string
  excerpt: string
  wordCount: number
  headings: Heading[]
  renderedAs: 'markdown' | 'plain'
}

/**
 * Renders Markdown to HTML that is safe to put into a page. It is synchronous and pure; call it for what people wrote
 * only in a worker with a time and a memory limit. A text beyond the structural bounds is rendered as plain text.
 */
export function renderMarkdown(content: string): Rendering {
  try {
    return formatted(content)
  } catch (error) {
    // A RangeError is a stack or a string that grew too large.
    if (error instanceof TooComplex || error instanceof RangeError) return renderPlainText(content)
    throw error
  }
}

function formatted(content: string): Rendering {
  const env = {}
  const tokens: Token[] = parser.parse(content, env)
  const html = parser.renderer.render(tokens, parser.options, env).trim()
  if (html.length > htmlMaxOf(content)) throw new TooComplex('html')
  return {
    html: `<div class="prose">${html}</div>`,
    excerpt: excerptOf(tokens),
    wordCount: countWords(readableText(tokens)),
    headings: headingsOf(tokens),
    renderedAs: 'markdown',
  }
}

/** Renders a text as it was written, in linear time, below a line that says why it is not formatted. */
export function renderPlainText(content: string): Rendering {
  return {
    html: plainHtml(content),
    excerpt: shorten(content),
    wordCount: countWords(content),
    headings: [],
    renderedAs: 'plain',
  }
}

/** The HTML of `renderPlainText` alone, which is cheap enough for any thread. */
export function plainHtml(content: string): string {
  const text = content.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
  const notice = `<p class="prose prose-notice" role="note">${PLAIN_NOTICE}</p>`
  return `${notice}\n<p class="prose prose-plain">${parser.utils.escapeHtml(text)}</p>`
}
