import type { Rendering } from './rendering.ts'
import { excerptOfSource } from './source-excerpt.ts'
import { countWords } from './words.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for HTML, including attributes in double quotation marks. */
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (one) => entities[one] ?? one)

export const PLAIN_NOTICE =
  'This text is shown as it was written: its Markdown is too complex to be formatted.'

/** Renders a text as it was written, in linear time, below a line that explains why it is not formatted. */
export function renderPlainText(content: string): Rendering {
  return {
    html: plainHtml(content),
    excerpt: excerptOfSource(content),
    wordCount: countWords(content),
    headings: [],
    renderedAs: 'plain',
  }
}

/** Returns only the HTML of `renderPlainText`, which is cheap enough for any thread. */
export function plainHtml(content: string): string {
  const text = content.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
  const notice = `<p class="prose prose-notice" role="note">${PLAIN_NOTICE}</p>`
  return `${notice}\n<p class="prose prose-plain">${escapeHtml(text)}</p>`
}
