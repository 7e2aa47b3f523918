import type { Token } from 'markdown-it'

/** The words of inline tokens without their markup. Images count by their descriptions. */
export function wordsOf(tokens: readonly Token[]): string {
  let words = ''
  for (const { type, content, children } of tokens) {
    if (type === 'text' || type === 'code_inline' || type === 'math_inline') words += content
    else if (type === 'image') words += wordsOf(children ?? [])
    else if (type === 'softbreak' || type === 'hardbreak') words += '\n'
  }
  return words
}

/** What a reader reads of a text: all of it but blocks of code. */
export function readableText(tokens: readonly Token[]): string {
  return tokens.map(({ children }) => (children ? wordsOf(children) : '')).join('\n')
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Counts words, also in scripts that put no spaces between them. */
export function countWords(text: string): number {
  let count = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++
  return count
}
